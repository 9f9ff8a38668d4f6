// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/log/jetstream/jetstream_log.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "broker_probe.hpp"
#include "nats_handles.hpp"
#include "stream_reader.hpp"

namespace sotto::analyzer {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto k_patience = std::chrono::seconds(20);
constexpr auto k_pause = std::chrono::milliseconds(100);
constexpr std::int64_t k_try_milliseconds = 3000, k_window = std::int64_t{120} * 1'000'000'000;
constexpr std::int64_t k_bucket_bytes = std::int64_t{256} << 20;
constexpr std::chrono::milliseconds k_note_age_max{10'000};

Error nats_unreachable(std::string_view what, natsStatus status) {
  return {"log.unreachable", fmt::format("the brokers do not answer: {}", what), nats_text(status),
          "see which brokers run and whether most of them reach each other; then send it again"};
}

class JetStreamLog final : public SharedLog {
 public:
  JetStreamLog(JetStreamOptions options, LogRun run, std::vector<Broker> brokers)
      : options_(std::move(options)), run_(std::move(run)), brokers_(std::move(brokers)) {}
  ~JetStreamLog() override {
    readers_.clear();
    board_.reset();
    bucket_.reset();
    context_.reset();
    connection_.reset();
  }

  [[nodiscard]] Result<Done> connect();

  Result<std::uint64_t> append(std::uint32_t partition, std::span<const std::uint8_t> bytes,
                               std::string_view id) override {
    const std::string subject = subject_of(partition), stream = stream_of(partition), own(id);
    const auto until = Clock::now() + k_patience;
    for (;;) {
      jsPubOptions options;
      jsPubOptions_Init(&options);
      options.MsgId = own.c_str();
      options.ExpectStream = stream.c_str();
      options.MaxWait = k_try_milliseconds;
      jsPubAck* got = nullptr;
      jsErrCode code{};
      const natsStatus status = js_Publish(&got, context_.get(), subject.c_str(), bytes.data(),
                                           static_cast<int>(bytes.size()), &options, &code);
      if (status == NATS_OK) {
        const std::uint64_t sequence = got->Sequence;
        jsPubAck_Destroy(got);
        return sequence;
      }
      if (code == JSStreamStoreFailedErr) {
        return Error{"log.full", "a partition of the log is full, so nothing was stored",
                     fmt::format("{}: {}", stream, nats_text(status)),
                     "raise the stream's max_bytes and the broker's max_file (docs/FLEET.md)"};
      }
      if (Clock::now() >= until) return nats_unreachable("an entry was not acknowledged", status);
      std::this_thread::sleep_for(k_pause);
    }
  }

  Result<std::vector<LogEntry>> read(std::uint32_t partition, std::uint64_t from,
                                     std::chrono::milliseconds wait) override {
    return reader(partition).read(from, wait);
  }

  Result<std::vector<std::uint8_t>> put_once(std::string_view key, std::span<const std::uint8_t> value) override {
    const std::string name(key);
    const auto until = Clock::now() + k_patience;
    for (;;) {
      const natsStatus status =
          kvStore_Create(nullptr, bucket_.get(), name.c_str(), value.data(), static_cast<int>(value.size()));
      if (status == NATS_OK) return std::vector<std::uint8_t>(value.begin(), value.end());
      // There is a value, or the answer was lost: whoever reads it knows.
      const Result<std::optional<std::vector<std::uint8_t>>> there = get_once(name);
      if (there && there.value()) return *there.value();
      if (Clock::now() >= until) return nats_unreachable("a key was not written", status);
      std::this_thread::sleep_for(k_pause);
    }
  }

  Result<std::optional<std::vector<std::uint8_t>>> get(std::string_view key) override {
    const std::string name(key);
    const auto until = Clock::now() + k_patience;
    for (;;) {
      Result<std::optional<std::vector<std::uint8_t>>> there = get_once(name);
      if (there || Clock::now() >= until) return there;
      std::this_thread::sleep_for(k_pause);
    }
  }

  Result<Done> make_partitions(const LogShape& shape, bool may_make) override {
    for (std::uint32_t p = 0; p < shape.partitions; ++p) {
      if (const auto made = make_partition(p, shape, may_make); !made) return made;
    }
    return Done{};
  }

  Result<std::uint64_t> last(std::uint32_t partition) override {
    jsStreamInfo* made = nullptr;
    const natsStatus status = js_GetStreamInfo(&made, context_.get(), stream_of(partition).c_str(), nullptr, nullptr);
    if (status != NATS_OK) return nats_unreachable("a stream's state", status);
    return NatsStreamInfo(made)->State.LastSeq;
  }

  void post(std::string_view author, std::string_view text) override {
    const std::string subject = board_subject(author);
    (void)natsConnection_Publish(connection_.get(), subject.c_str(), text.data(), static_cast<int>(text.size()));
  }

  std::vector<LogNote> notes() override {
    const std::lock_guard hold(lock_);
    const auto now = Clock::now();
    std::vector<LogNote> out;
    for (auto at = heard_.begin(); at != heard_.end();) {
      const auto age = std::chrono::duration_cast<std::chrono::milliseconds>(now - at->second.second);
      if (age > k_note_age_max) {
        at = heard_.erase(at);
        continue;
      }
      out.push_back({at->first, at->second.first, age});
      ++at;
    }
    return out;
  }

  std::string engine() const override { return "nats-server"; }

  std::vector<LogNode> nodes() override {
    std::vector<Broker> now = probe_brokers(options_.servers);
    const std::lock_guard hold(lock_);
    for (std::size_t i = 0; i < now.size(); ++i) {  // a broker that is away keeps its name
      if (now[i].is_reached || i >= brokers_.size()) continue;
      now[i].name = brokers_[i].name;
      now[i].version = brokers_[i].version;
    }
    brokers_ = std::move(now);
    return {brokers_.begin(), brokers_.end()};
  }

  std::string warning() const override {
    const std::lock_guard hold(lock_);
    return broker_warning(brokers_);
  }

 private:
  [[nodiscard]] std::string stream_of(std::uint32_t p) const {
    return fmt::format("SOTTO-{}-{}-{}", run_.study, run_.run, p);
  }
  [[nodiscard]] std::string subject_of(std::uint32_t p) const {
    return fmt::format("sotto.log.{}.{}.{}", run_.study, run_.run, p);
  }
  [[nodiscard]] std::string bucket_name() const { return fmt::format("SOTTO-{}-{}", run_.study, run_.run); }
  [[nodiscard]] std::string board_subject(std::string_view author) const {
    return fmt::format("sotto.board.{}.{}.{}", run_.study, run_.run, author);
  }

  StreamReader& reader(std::uint32_t partition) {
    const std::lock_guard hold(lock_);
    std::unique_ptr<StreamReader>& own = readers_[partition];
    if (!own) own = std::make_unique<StreamReader>(context_.get(), stream_of(partition), subject_of(partition));
    return *own;
  }

  Result<std::optional<std::vector<std::uint8_t>>> get_once(const std::string& name) {
    kvEntry* made = nullptr;
    const natsStatus status = kvStore_Get(&made, bucket_.get(), name.c_str());
    if (status == NATS_NOT_FOUND) return std::optional<std::vector<std::uint8_t>>{};
    if (status != NATS_OK) return nats_unreachable("a key", status);
    const NatsEntry entry(made);
    const auto* const data = static_cast<const std::uint8_t*>(kvEntry_Value(entry.get()));
    return std::optional(std::vector<std::uint8_t>(data, data + kvEntry_ValueLen(entry.get())));
  }

  [[nodiscard]] Result<Done> make_bucket();
  [[nodiscard]] Result<Done> make_partition(std::uint32_t p, const LogShape& shape, bool may_make);
  [[nodiscard]] Result<Done> add_stream(std::uint32_t p, const LogShape& shape);
  [[nodiscard]] Result<Done> listen();
  static void on_note(natsConnection*, natsSubscription*, natsMsg* message, void* own);

  JetStreamOptions options_;
  LogRun run_;
  NatsConnection connection_;
  NatsContext context_;
  NatsBucket bucket_;
  NatsSubscription board_;
  mutable std::mutex lock_;  // guards what follows
  std::vector<Broker> brokers_;
  std::map<std::uint32_t, std::unique_ptr<StreamReader>> readers_;
  std::map<std::string, std::pair<std::string, Clock::time_point>> heard_;
};

Result<Done> JetStreamLog::connect() {
  natsOptions* made = nullptr;
  if (natsOptions_Create(&made) != NATS_OK) return nats_unreachable("libnats", NATS_NO_MEMORY);
  const NatsOptions options(made);
  std::vector<const char*> servers;
  for (const std::string& server : options_.servers) servers.push_back(server.c_str());
  natsStatus status = natsOptions_SetServers(made, servers.data(), static_cast<int>(servers.size()));
  const bool is_secure = options_.servers.front().starts_with("tls://");
  // A cluster comes back by itself, however long it was away.
  if (status == NATS_OK) status = natsOptions_SetMaxReconnect(made, -1);
  if (status == NATS_OK) status = natsOptions_SetReconnectWait(made, 100);
  if (status == NATS_OK) status = natsOptions_SetTimeout(made, k_try_milliseconds);
  if (status == NATS_OK) status = natsOptions_SetPingInterval(made, 2000);
  if (status == NATS_OK && is_secure) status = natsOptions_SetSecure(made, true);
  if (status == NATS_OK && !options_.authority.empty())
    status = natsOptions_LoadCATrustedCertificates(made, options_.authority.c_str());
  if (status == NATS_OK && !options_.credentials.empty()) {
    const std::size_t colon = options_.credentials.find(':');
    status = natsOptions_SetUserInfo(made, options_.credentials.substr(0, colon).c_str(),
                                     colon == std::string::npos ? "" : options_.credentials.substr(colon + 1).c_str());
  }
  if (status != NATS_OK)
    return Error{"log.bad_address", "this is not an address of brokers", nats_text(status), "write nats://HOST:PORT"};
  natsConnection* connection = nullptr;
  status = natsConnection_Connect(&connection, made);
  if (status != NATS_OK) return nats_unreachable("no connection", status);
  connection_.reset(connection);
  jsOptions js;
  jsOptions_Init(&js);
  js.Wait = k_try_milliseconds;
  jsCtx* context = nullptr;
  status = natsConnection_JetStream(&context, connection, &js);
  if (status != NATS_OK) return nats_unreachable("JetStream", status);
  context_.reset(context);
  if (const auto bucket = make_bucket(); !bucket) return bucket;
  return listen();
}

Result<Done> JetStreamLog::make_bucket() {
  const std::string name = bucket_name();
  const auto until = Clock::now() + k_patience;
  for (;;) {
    kvStore* made = nullptr;
    natsStatus status = js_KeyValue(&made, context_.get(), name.c_str());
    if (status == NATS_NOT_FOUND) {
      kvConfig config;
      kvConfig_Init(&config);
      config.Bucket = name.c_str();
      config.Replicas = static_cast<int>(options_.replicas);
      config.History = 1;
      config.StorageType = js_FileStorage;
      config.MaxBytes = k_bucket_bytes;
      status = js_CreateKeyValue(&made, context_.get(), &config);
    }
    if (status == NATS_OK) {
      bucket_.reset(made);
      return Done{};
    }
    if (Clock::now() < until) {
      std::this_thread::sleep_for(k_pause);
      continue;
    }
    std::string away;
    for (const Broker& broker : probe_brokers(options_.servers))
      if (!broker.is_reached) away += " " + broker.address;
    Error error = nats_unreachable(
        away.empty() ? "the bucket of keys" : "too few of them are there; these are away:" + away, status);
    error.fix = fmt::format("start the brokers; {} replicas need as many that form one cluster, or say --replicas 1",
                            options_.replicas);
    return error;
  }
}

Result<Done> JetStreamLog::add_stream(std::uint32_t p, const LogShape& shape) {
  const std::string stream = stream_of(p), subject = subject_of(p);
  const char* subjects[] = {subject.c_str()};
  jsStreamConfig config;
  jsStreamConfig_Init(&config);
  config.Name = stream.c_str();
  config.Subjects = subjects;
  config.SubjectsLen = 1;
  config.Retention = js_LimitsPolicy;
  config.Storage = js_FileStorage;
  config.Discard = js_DiscardNew;
  config.Replicas = shape.replicas;
  config.MaxBytes = static_cast<std::int64_t>(shape.partition_bytes);
  config.Duplicates = k_window;
  config.DenyDelete = true;
  config.DenyPurge = true;
  const auto until = Clock::now() + k_patience;
  for (;;) {
    jsErrCode code{};
    const natsStatus status = js_AddStream(nullptr, context_.get(), &config, nullptr, &code);
    // Another process may have made it in between: whether it is the same is checked by the caller.
    if (status == NATS_OK || code == JSStreamNameExistErr) return Done{};
    if (code == JSStreamReplicasNotSupportedErr) {
      return Error{"log.too_few_nodes", "a broker alone cannot keep several replicas", nats_text(status),
                   "name a cluster of three brokers, or say --replicas 1"};
    }
    if (Clock::now() >= until) {
      if (code == 0) return nats_unreachable("a stream was not made", status);
      return Error{"log.failed", "the brokers do not make a stream", fmt::format("{}: {}", stream, nats_text(status)),
                   "see the room that max_file leaves, and --replicas"};
    }
    std::this_thread::sleep_for(k_pause);
  }
}

Result<Done> JetStreamLog::make_partition(std::uint32_t p, const LogShape& shape, bool may_make) {
  const std::string stream = stream_of(p), subject = subject_of(p);
  const auto until = Clock::now() + k_patience;
  for (;;) {
    jsStreamInfo* made = nullptr;
    const natsStatus status = js_GetStreamInfo(&made, context_.get(), stream.c_str(), nullptr, nullptr);
    if (status == NATS_NOT_FOUND) {
      if (!may_make) {
        return Error{"log.missing_stream", "a stream of this run was there and is not any more", stream,
                     "restore it from a backup, or begin another run with --run: a name is never used twice"};
      }
      if (const auto added = add_stream(p, shape); !added) return added;
      continue;
    }
    if (status != NATS_OK) {
      if (Clock::now() >= until) return nats_unreachable("a stream's state", status);
      std::this_thread::sleep_for(k_pause);
      continue;
    }
    const NatsStreamInfo info(made);
    const jsStreamConfig& has = *info->Config;
    const auto other = [&stream](std::string_view what, std::string_view wanted) {
      return Error{"log.other_settings", fmt::format("a stream has other settings than the log needs: {}", what),
                   stream, fmt::format("it must be {}: mend it with the broker's tools, or begin another run", wanted)};
    };
    if (has.SubjectsLen != 1 || subject != has.Subjects[0]) return other("subjects", subject);
    if (has.Storage != js_FileStorage) return other("storage", "file");
    if (has.Retention != js_LimitsPolicy) return other("retention", "limits");
    if (has.Discard != js_DiscardNew) return other("discard", "new, or entries vanish when it is full");
    if (has.MaxAge != 0) return other("max_age", "0, or entries vanish with time");
    if (has.MaxMsgs > 0 || has.MaxMsgsPerSubject > 0) return other("max_msgs", "unlimited");
    if (shape.replicas != 0 && has.Replicas != shape.replicas)
      return other(fmt::format("{} replicas", has.Replicas), fmt::format("of {}", shape.replicas));
    return Done{};
  }
}

void JetStreamLog::on_note(natsConnection*, natsSubscription*, natsMsg* message, void* own) {
  auto& log = *static_cast<JetStreamLog*>(own);
  const std::string subject = natsMsg_GetSubject(message);
  {
    const std::lock_guard hold(log.lock_);
    log.heard_[subject.substr(subject.rfind('.') + 1)] = {
        std::string(natsMsg_GetData(message), static_cast<std::size_t>(natsMsg_GetDataLength(message))), Clock::now()};
  }
  natsMsg_Destroy(message);
}

Result<Done> JetStreamLog::listen() {
  natsSubscription* made = nullptr;
  const std::string subject = board_subject("*");
  const natsStatus status =
      natsConnection_Subscribe(&made, connection_.get(), subject.c_str(), &JetStreamLog::on_note, this);
  if (status != NATS_OK) return nats_unreachable("notes", status);
  board_.reset(made);
  return Done{};
}

}  // namespace

Result<std::unique_ptr<SharedLog>> open_jetstream_log(const JetStreamOptions& options, const LogRun& run) {
  if (options.servers.empty())
    return Error{"log.bad_address", "no broker is named", "", "write --log nats://HOST:PORT,nats://HOST:PORT"};
  std::vector<Broker> brokers = probe_brokers(options.servers);
  if (const auto checked = check_brokers(brokers); !checked) return checked.error();
  auto log = std::make_unique<JetStreamLog>(options, run, std::move(brokers));
  if (const auto connected = log->connect(); !connected) return connected.error();
  return std::unique_ptr<SharedLog>(std::move(log));
}

}  // namespace sotto::analyzer
