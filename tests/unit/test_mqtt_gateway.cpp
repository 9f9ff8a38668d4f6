// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The gateway against a broker that the test plays, and a store that answers when the test says so.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "sotto/analyzer/mqtt/gateway.hpp"
#include "src/mqtt/address.hpp"
#include "src/mqtt/topics.hpp"

namespace sotto::analyzer {
namespace {

constexpr int k_connect = 1, k_publish = 3, k_acknowledge = 4, k_subscribe = 8, k_second = 1000;
const std::string k_digest(64, 'a');

struct Frame {
  int kind = 0, flags = 0;
  std::string body;
};

class PlayedBroker {
 public:
  PlayedBroker() : door_(::socket(AF_INET, SOCK_STREAM, 0)) {
    address_.sin_family = AF_INET;
    address_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address_;
    EXPECT_EQ(::bind(door_, reinterpret_cast<const sockaddr*>(&address_), size), 0);
    EXPECT_EQ(::listen(door_, 4), 0);
    ::getsockname(door_, reinterpret_cast<sockaddr*>(&address_), &size);
  }
  PlayedBroker(const PlayedBroker&) = delete;
  PlayedBroker& operator=(const PlayedBroker&) = delete;
  ~PlayedBroker() {
    ::close(door_);
    if (line_ >= 0) ::close(line_);
  }

  [[nodiscard]] std::string address() const { return "mqtt://127.0.0.1:" + std::to_string(ntohs(address_.sin_port)); }

  /// Lets the gateway in, up to the retained study and round.
  void let_in() {
    if (line_ >= 0) ::close(line_);
    pollfd file{door_, POLLIN, 0};
    ASSERT_EQ(::poll(&file, 1, 10 * k_second), 1);
    line_ = ::accept(door_, nullptr, nullptr);
    Frame frame = next(10 * k_second);
    ASSERT_EQ(frame.kind, k_connect);
    send(std::string("\x20\2\0\0", 4));
    for (int told = 0; told < 2;) {
      frame = next(10 * k_second);
      if (frame.kind == k_subscribe) send(std::string("\x90\3", 2) + frame.body.substr(0, 2) + frame.body.back());
      if (frame.kind != k_publish) continue;
      ++told;
      const std::size_t id = 2 + static_cast<std::size_t>(frame.body[1]);
      send(std::string("\x40\2", 2) + frame.body.substr(id, 2));
    }
  }

  void bring(const std::string& report, char number) {
    const std::string topic = topic_of(k_digest, k_reports_topic);
    const std::string zero(1, '\0');
    const std::string body = zero + static_cast<char>(topic.size()) + topic + zero + number + report;
    send(std::string("\x32") + static_cast<char>(body.size()) + body);
  }

  /// The next frame; kind 0 where none comes, -1 where the connection ends.
  Frame next(int milliseconds) {
    Frame frame;
    pollfd file{line_, POLLIN, 0};
    if (::poll(&file, 1, milliseconds) != 1) return frame;
    unsigned char head = 0, digit = 128;
    if (!take(&head, 1)) return {-1, 0, ""};
    std::size_t size = 0;
    for (int shift = 0; digit >= 128; shift += 7) {
      if (!take(&digit, 1)) return {-1, 0, ""};
      size |= static_cast<std::size_t>(digit & 127) << shift;
    }
    frame.kind = head >> 4;
    frame.flags = head & 15;
    frame.body.resize(size);
    return take(frame.body.data(), size) ? frame : Frame{-1, 0, ""};
  }

 private:
  void send(const std::string& bytes) const {
    EXPECT_EQ(::send(line_, bytes.data(), bytes.size(), MSG_NOSIGNAL), static_cast<ssize_t>(bytes.size()));
  }
  bool take(void* out, std::size_t size) const {
    return size == 0 || ::recv(line_, out, size, MSG_WAITALL) == static_cast<ssize_t>(size);
  }

  int door_, line_ = -1;
  sockaddr_in address_{};
};

/// Holds what it is given until it is told what became of it.
class HeldStore {
 public:
  bool take(const Bytes& body, std::function<void(MqttFate)> done) {
    const std::lock_guard hold(lock_);
    if (busy_-- > 0) return false;
    bodies_.emplace_back(body.begin(), body.end());
    waiting_.push_back(std::move(done));
    came_.notify_all();
    return true;
  }
  /// Waits for so many reports, and answers them.
  std::vector<std::string> answer(std::size_t count, MqttFate fate) {
    std::unique_lock hold(lock_);
    EXPECT_TRUE(came_.wait_for(hold, std::chrono::seconds(10), [&] { return waiting_.size() >= count; }));
    for (const auto& done : waiting_) done(fate);
    waiting_.clear();
    return std::exchange(bodies_, {});
  }
  void be_busy(int times) {
    const std::lock_guard hold(lock_);
    busy_ = times;
  }

 private:
  std::mutex lock_;
  std::condition_variable came_;
  std::vector<std::string> bodies_;
  std::vector<std::function<void(MqttFate)>> waiting_;
  int busy_ = 0;
};

class TestMqttGateway : public testing::Test {
 protected:
  void SetUp() override {
    auto opened = MqttGateway::open({broker_.address(), {}, {}, {}, "gateway"},
                                    [](std::string_view, const std::string&, std::string_view) {});
    if (!opened && opened.error().code == "mqtt.not_built") GTEST_SKIP() << "built without libmosquitto";
    ASSERT_TRUE(opened);
    gateway_ = std::move(opened).value();
    const auto round = std::make_shared<const Bytes>(Bytes{1, 2, 3});
    ASSERT_TRUE(gateway_->start({{k_digest,
                                  {9},
                                  [round] { return round; },
                                  [this](const Bytes& body, std::function<void(MqttFate)> done) {
                                    return store_.take(body, std::move(done));
                                  }}}));
    broker_.let_in();
  }

  PlayedBroker broker_;
  HeldStore store_;
  std::unique_ptr<MqttGateway> gateway_;
};

TEST_F(TestMqttGateway, acknowledges_nothing_before_it_is_stored) {
  broker_.bring("one", 1);
  EXPECT_EQ(broker_.next(k_second / 2).kind, 0);
  EXPECT_EQ(store_.answer(1, MqttFate::stored), std::vector<std::string>{"one"});
  const Frame first = broker_.next(10 * k_second), second = broker_.next(10 * k_second);
  EXPECT_EQ(first.kind, k_acknowledge);
  EXPECT_EQ(first.body, std::string("\0\1", 2));
  EXPECT_EQ(second.kind, k_publish);
  EXPECT_EQ(second.flags, 0);  // a receipt is not retained
  EXPECT_NE(second.body.find("sotto/aaaaaaaa/a/7692c3ad3540bb80stored"), std::string::npos) << second.body;
}

TEST_F(TestMqttGateway, leaves_the_broker_what_could_not_be_stored) {
  broker_.bring("one", 1);
  (void)store_.answer(1, MqttFate::again);
  EXPECT_EQ(broker_.next(10 * k_second).kind, -1);  // not a byte
  broker_.let_in();
  broker_.bring("one", 1);
  EXPECT_EQ(store_.answer(1, MqttFate::refused), std::vector<std::string>{"one"});
  EXPECT_EQ(broker_.next(10 * k_second).kind, k_acknowledge);
  EXPECT_NE(broker_.next(10 * k_second).body.find("refused"), std::string::npos);
}

TEST_F(TestMqttGateway, waits_for_a_store_that_has_too_much_to_do) {
  store_.be_busy(5);
  broker_.bring("one", 1);
  (void)store_.answer(1, MqttFate::stored);
  EXPECT_EQ(broker_.next(10 * k_second).kind, k_acknowledge);
}

TEST_F(TestMqttGateway, an_end_acknowledges_what_was_stored) {
  broker_.bring("one", 1);
  std::thread store([this] { (void)store_.answer(1, MqttFate::stored); });
  EXPECT_EQ(broker_.next(10 * k_second).kind, k_acknowledge);
  store.join();
  gateway_->stop();
  EXPECT_EQ(broker_.next(10 * k_second).kind, k_publish);
  EXPECT_EQ(broker_.next(10 * k_second).kind, 14);  // goodbye
  EXPECT_EQ(gateway_->counts().stored, 1u);
}

TEST(TestMqttAddress, is_read_or_refused_by_name) {
  EXPECT_EQ(read_broker_address("mqtt://127.0.0.1").value().port, 1883);
  EXPECT_EQ(read_broker_address("mqtts://broker.example").value().port, 8883);
  const BrokerAddress six = read_broker_address("mqtt://[::1]:99").value();
  EXPECT_EQ(six.host, "::1");
  EXPECT_EQ(six.port, 99);
  for (const char* const bad :
       {"", "http://127.0.0.1", "mqtt://", "mqtt://:1883", "mqtt://127.0.0.1:", "mqtt://127.0.0.1:0",
        "mqtt://127.0.0.1:65536", "mqtt://user:word@127.0.0.1", "mqtt://127.0.0.1/path", "mqtt://["}) {
    const auto read = read_broker_address(bad);
    ASSERT_FALSE(read) << bad;
    EXPECT_EQ(read.error().code, "mqtt.address") << bad;
  }
  EXPECT_EQ(read_broker_address("mqtt://10.0.0.1").error().code, "mqtt.needs_tls");
  EXPECT_EQ(read_broker_address("mqtt://127.evil.example").error().code, "mqtt.needs_tls");
}

}  // namespace
}  // namespace sotto::analyzer
