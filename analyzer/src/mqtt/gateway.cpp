// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#ifdef SOTTO_WITH_MQTT
#include "sotto/analyzer/mqtt/gateway.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "batch.hpp"
#include "published.hpp"
#include "sotto/analyzer/crypto/random.hpp"
#include "topics.hpp"

namespace sotto::analyzer {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// Messages that are read before they are stored. How many a broker sends without an acknowledgement is its own setting.
constexpr std::size_t k_together_max = 4096;
// A longer body is no request over HTTP either. It counts as one unreadable report.
constexpr std::size_t k_body_max = std::size_t{64} << 10;
constexpr milliseconds k_look{100}, k_gather{1}, k_gather_most{5}, k_busy{20}, k_pause_first{500}, k_pause_most{30000},
    k_connect_most{15000};
// Behind this the broker takes the gateway for dead anyway, and keeps the messages for the next connection.
constexpr std::chrono::seconds k_store_most{40};

std::string_view text_of(MqttFate fate) { return fate == MqttFate::stored ? "stored" : "refused"; }

class Gateway final : public MqttGateway {
 public:
  Gateway(MqttOptions options, BrokerAddress address, MqttLog log)
      : options_(std::move(options)),
        address_(std::move(address)),
        log_(std::move(log)),
        wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}
  Gateway(const Gateway&) = delete;
  Gateway& operator=(const Gateway&) = delete;
  ~Gateway() override {
    stop();
    if (wake_ >= 0) ::close(wake_);
  }

  Result<Done> start(std::vector<MqttStudy> studies) override {
    for (MqttStudy& study : studies) {
      const std::string digest = study.digest;
      PublishedStudy made(std::move(study));
      for (const PublishedStudy& other : studies_) {
        if (other.reports_topic() == made.reports_topic()) {
          return Error{"mqtt.same_topic", "the digests of two studies begin alike, so their topics are the same",
                       digest.substr(0, 16), "serve them by two servers with a broker each"};
        }
      }
      studies_.push_back(std::move(made));
    }
    thread_ = std::thread([this] { work(); });
    return Done{};
  }

  void stop() override {
    stopping_ = true;
    const std::uint64_t one = 1;
    // It fails where it was called more often than a number of 64 bits counts, and then the thread is awake.
    const ssize_t written = ::write(wake_, &one, sizeof one);
    (void)written;
    if (thread_.joinable()) thread_.join();
  }

  [[nodiscard]] const MqttCounts& counts() const override { return counts_; }

 private:
  void work() {
    milliseconds pause = k_pause_first;
    std::string said;  // a broker that is away for a day is one line
    while (!stopping_) {
      Result<std::unique_ptr<MqttConnection>> made = MqttConnection::open(options_, address_);
      const bool was_ready = made && serve(*made.value());
      counts_.connected = false;
      if (stopping_) break;
      const std::string why = made ? made.value()->reason() : made.error().what;
      if (was_ready || why != said) log_("mqtt_lost", "", why);
      said = why;
      pause = was_ready ? k_pause_first : std::min(2 * pause, k_pause_most);
      // Drawn, so that the gateways of a broker that comes back do not come all at once.
      const std::uint32_t share = random_share();
      wait(-1, false, milliseconds(pause.count() / 2 + pause.count() * share / 1024));
    }
  }

  static std::uint32_t random_share() {
    std::uint8_t bytes[2];
    random_bytes(bytes);
    return (bytes[0] | static_cast<std::uint32_t>(bytes[1]) << 8) % 1024;
  }

  /// Waits for a socket or for the end. Returns what poll() saw of the socket.
  short wait(int socket, bool for_writing, milliseconds at_most) const {
    pollfd files[2] = {{wake_, POLLIN, 0}, {socket, static_cast<short>(for_writing ? POLLIN | POLLOUT : POLLIN), 0}};
    (void)::poll(files, socket < 0 ? 1 : 2, static_cast<int>(at_most.count()));
    return socket < 0 ? short{0} : files[1].revents;
  }

  /// Serves one connection until it is lost or the gateway ends. Whether the broker let it in.
  bool serve(MqttConnection& connection) {
    const Clock::time_point until = Clock::now() + k_connect_most;
    while (connection.state() == MqttConnection::State::connecting && !stopping_) {
      if (Clock::now() > until) {
        connection.give_up("the broker does not answer");
        break;
      }
      const short seen = wait(connection.socket(), connection.wants_write(), k_look);
      connection.step((seen & (POLLERR | POLLHUP)) != 0);
    }
    if (connection.state() != MqttConnection::State::ready) return false;
    ++counts_.connections;
    counts_.connected = true;
    log_("mqtt_connected", "", "");
    for (PublishedStudy& study : studies_) study.begin(connection);
    while (connection.state() == MqttConnection::State::ready && !stopping_) turn(connection);
    if (stopping_ && connection.state() == MqttConnection::State::ready) leave(connection);
    return true;
  }

  void turn(MqttConnection& connection) {
    connection.read(k_together_max);
    gather(connection);
    if (!store(connection)) return connection.give_up("reports could not be stored; the broker keeps them");
    for (const std::string& topic : connection.take_refused())
      log_("mqtt_refused", "", "the broker does not let the gateway's user read " + topic);
    for (PublishedStudy& study : studies_) study.look(connection, log_);
    connection.keep_alive();
    connection.write();  // from here on the broker may forget what was stored
    if (connection.state() == MqttConnection::State::ready)
      (void)wait(connection.socket(), connection.wants_write(), k_look);
  }

  /// What follows within a moment is stored together with what was read: a commit costs more than a report.
  void gather(MqttConnection& connection) const {
    const Clock::time_point until = Clock::now() + k_gather_most;
    while (connection.has_room(k_together_max) && Clock::now() < until) {
      if ((wait(connection.socket(), false, k_gather) & POLLIN) == 0) return;
      connection.read(k_together_max);
    }
  }

  /// Stores what was read, and prepares the receipts. False where some of it must come again.
  bool store(MqttConnection& connection) {
    std::vector<MqttMessage> all = std::exchange(connection.messages(), {});
    std::erase_if(all, [this](const MqttMessage& message) {
      return std::ranges::any_of(studies_, [&](PublishedStudy& study) { return study.take(message); });
    });
    if (all.empty()) return true;
    const Clock::time_point until = Clock::now() + k_store_most;
    const auto batch = std::make_shared<FateBatch>(all.size());
    std::vector<std::string> receipts(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto study =
          std::ranges::find(studies_, all[i].topic, [](const PublishedStudy& own) { return own.reports_topic(); });
      if (study == studies_.end()) {  // of a study that this session served before
        batch->tell(i, MqttFate::refused);
        continue;
      }
      receipts[i] = receipt_topic(study->study().digest, all[i].payload);
      if (all[i].payload.size() > k_body_max) all[i].payload = {0xff};  // counts as one that cannot be read
      if (!offer(study->study(), all[i].payload, until, [batch, i](MqttFate fate) { batch->tell(i, fate); }))
        return false;
    }
    if (!batch->wait(k_store_most)) return false;
    return tell(connection, receipts, batch->fates());
  }

  /// Where too much waits for the disk, the broker waits as well.
  bool offer(const MqttStudy& study, const Bytes& body, Clock::time_point until,
             const std::function<void(MqttFate)>& done) {
    while (!study.take(body, done)) {
      if (stopping_ || Clock::now() > until) return false;
      std::this_thread::sleep_for(k_busy);
    }
    return true;
  }

  bool tell(MqttConnection& connection, const std::vector<std::string>& receipts, const std::vector<MqttFate>& fates) {
    bool is_whole = true;
    for (std::size_t i = 0; i < fates.size(); ++i) {
      ++counts_.messages;
      ++(fates[i] == MqttFate::stored    ? counts_.stored
         : fates[i] == MqttFate::refused ? counts_.refused
                                         : counts_.again);
      if (fates[i] == MqttFate::again) is_whole = false;
      if (fates[i] == MqttFate::again || receipts[i].empty()) continue;
      const std::string_view text = text_of(fates[i]);
      connection.publish(receipts[i], {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}, 0, false);
    }
    return is_whole;
  }

  void leave(MqttConnection& connection) const {
    connection.leave();
    const Clock::time_point until = Clock::now() + std::chrono::seconds(1);
    while (connection.state() == MqttConnection::State::ready && connection.wants_write() && Clock::now() < until) {
      pollfd file{connection.socket(), POLLOUT, 0};
      (void)::poll(&file, 1, 100);
      connection.write();
    }
  }

  MqttOptions options_;
  BrokerAddress address_;
  MqttLog log_;
  std::vector<PublishedStudy> studies_;
  MqttCounts counts_;
  int wake_;
  std::atomic<bool> stopping_{false};
  std::thread thread_;
};

}  // namespace

Result<std::unique_ptr<MqttGateway>> MqttGateway::open(MqttOptions options, MqttLog log) {
  Result<BrokerAddress> address = read_broker_address(options.address);
  if (!address) return address.error();
  if (!options.authority.empty() && !std::ifstream(options.authority)) {
    return Error{"mqtt.authority", "the authority of the broker's certificate cannot be read", options.authority,
                 "name a PEM file with --mqtt-ca"};
  }
  return std::unique_ptr<MqttGateway>(
      std::make_unique<Gateway>(std::move(options), std::move(address).value(), std::move(log)));
}

}  // namespace sotto::analyzer

#endif
