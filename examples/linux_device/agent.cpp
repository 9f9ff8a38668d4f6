// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "agent.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <set>

#include "from_broker.hpp"
#include "from_server.hpp"
#include "sotto/wire/round.hpp"
#include "sotto_posix.h"

extern char** environ;

namespace fs = std::filesystem;

Bytes read_bytes(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Unusable(path.string() + ": " + std::strerror(errno));
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

namespace {

constexpr std::uint32_t k_studies = 14;
constexpr std::size_t k_work_first = 4096, k_work_last = std::size_t{1} << 20;

/// Memory that is not swapped, not dumped and wiped at the end.
class Secret {
 public:
  explicit Secret(std::size_t bytes) : memory_(sotto_posix_secret_memory(bytes)), bytes_(bytes) {
    if (memory_ == nullptr) throw Unusable(std::string("memory: ") + std::strerror(errno));
  }
  Secret(const Secret&) = delete;
  Secret& operator=(const Secret&) = delete;
  ~Secret() { sotto_posix_secret_free(memory_, bytes_); }
  [[nodiscard]] void* get() const { return memory_; }
  [[nodiscard]] std::size_t size() const { return bytes_; }

 private:
  void* memory_;
  std::size_t bytes_;
};

Bytes from_hex(const std::string& text, std::size_t bytes, const std::string& what) {
  if (text.size() != 2 * bytes || text.find_first_not_of("0123456789abcdefABCDEF") != std::string::npos)
    throw Unusable(what + ": " + std::to_string(2 * bytes) +
                   " hexadecimal digits are needed, as sotto enrol writes them");
  Bytes out(bytes);
  for (std::size_t i = 0; i < bytes; ++i)
    out[i] = static_cast<std::uint8_t>(std::stoul(text.substr(2 * i, 2), nullptr, 16));
  return out;
}

/// The file `credential`: pseudonym and key, as in the columns of sotto enrol, with a space or comma between; none for an open study.
std::optional<sotto_credential> read_credential(const fs::path& path) {
  std::ifstream file(path);
  if (!file) return std::nullopt;
  std::string pseudonym, key;
  std::getline(file, pseudonym);
  const std::size_t between = pseudonym.find_first_of(" ,");
  if (between != std::string::npos) {
    key = pseudonym.substr(between + 1);
    pseudonym.resize(between);
  }
  sotto_credential out{};
  for (const std::uint8_t byte : from_hex(pseudonym, 8, path.string() + ", pseudonym"))
    out.pseudonym = out.pseudonym << 8 | byte;
  const Bytes bytes = from_hex(key, 32, path.string() + ", key");
  std::memcpy(out.key, bytes.data(), bytes.size());
  return out;
}

}  // namespace

void write_whole(const fs::path& path, const std::string& text) {
  fs::path made = path;
  made += ".part";
  std::FILE* const file = std::fopen(made.c_str(), "wb");
  const bool done = file != nullptr && std::fwrite(text.data(), 1, text.size(), file) == text.size() &&
                    std::fflush(file) == 0 && ::fsync(::fileno(file)) == 0;
  const int fault = errno;
  if (file != nullptr) (void)std::fclose(file);
  if (!done) throw Unusable(made.string() + ": " + std::strerror(fault));
  fs::rename(made, path);
}

namespace {

std::string hex_line(const std::uint8_t* bytes, std::size_t size) {
  std::string out;
  for (std::size_t i = 0; i < size; ++i) {
    out += "0123456789abcdef"[bytes[i] >> 4];
    out += "0123456789abcdef"[bytes[i] & 15];
  }
  return out + "\n";
}

/// The ledger of the directory, open. The objects of the C interface are in memory for secrets, where they begin as zeros.
class Device {
 public:
  explicit Device(const AgentOptions& options)
      : memory_(sizeof(Held)),
        held_(*static_cast<Held*>(memory_.get())),
        // It has rows and a choice, and neither a number nor an item: rounds that ask for these are refused.
        questions_{sotto_vote(),      sotto_bin_cells(),   sotto_block(),  sotto_moments_fourier(),
                   sotto_value(),     sotto_label_noisy(), sotto_sketch(), sotto_synopsis(),
                   sotto_direction(), sotto_update_noisy()} {
    const std::string path = (options.home / "ledger").string();
    if (!sotto_posix_flash_open(&file_, path.c_str(), &flash_)) throw Unusable(path + ": " + std::strerror(errno));
    hooks_.entropy = sotto_posix_entropy();
    hooks_.clock = sotto_posix_clock();
    hooks_.questions = questions_;
    hooks_.question_count = std::size(questions_);
    if (!options.issuer.empty()) {
      issuer_ = from_hex(options.issuer, SOTTO_PUBLIC_KEY_BYTES, "--issuer");
      hooks_.verify_context = issuer_.data();
      hooks_.verify = sotto_ed25519_verify;
    }
    const sotto_ledger_memory memory{held_.words, sizeof held_.words, SOTTO_REPORT_BYTES_MAX};
    sotto_status status = sotto_ledger_open(&held_.ledger, &memory, &flash_, nullptr);
    if (status == SOTTO_NO_LEDGER) {  // the first start; any other refusal needs a person's attention
      const auto nano = [](double nats) { return static_cast<std::uint64_t>(nats * 1e9 + 0.5); };
      const sotto_policy policy{{nano(options.study_nats), 0}, {nano(options.total_nats), 0}};
      status = sotto_ledger_create(&held_.ledger, &memory, &flash_, nullptr, &policy, &hooks_.entropy);
    }
    if (status != SOTTO_OK) {
      sotto_posix_flash_close(&file_);
      throw Unusable(path + ": " + sotto_status_text(status));
    }
  }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  ~Device() {
    sotto_session_close(&held_.session);
    sotto_ledger_close(&held_.ledger);
    sotto_posix_flash_close(&file_);
  }

  [[nodiscard]] sotto_ledger& ledger() { return held_.ledger; }
  [[nodiscard]] sotto_session& session() { return held_.session; }
  [[nodiscard]] const sotto_hooks& hooks() const { return hooks_; }

 private:
  struct Held {
    sotto_ledger ledger;
    sotto_session session;
    std::uint64_t words[SOTTO_LEDGER_MEMORY_BYTES(k_studies, SOTTO_REPORT_BYTES_MAX) / 8];
  };
  Secret memory_;
  Held& held_;
  const sotto_question* questions_[10];
  Bytes issuer_;
  sotto_hooks hooks_{};
  sotto_posix_flash file_{};
  sotto_flash flash_{};
};

class Agent {
 public:
  explicit Agent(const AgentOptions& options)
      : options_(options), manifest_(read_bytes(options.home / "manifest.bin")) {
    if (const sotto::Status status = sotto::decode_manifest(manifest_, study_); status != sotto::Status::ok)
      throw Unusable((options.home / "manifest.bin").string() + ": " +
                     sotto_status_text(static_cast<sotto_status>(status)));
    // At a first start what cannot be used is refused here, before a ledger is made.
    credential_ = read_credential(options.home / "credential");
    if (!fs::exists(options.home / "ledger")) read(Faults::refused);
    fs::create_directories(options.home / "inbox");
    fs::create_directories(options.home / "outbox");
    device_ = std::make_unique<Device>(options);
  }

  int run() {
    if (const int code = join(); code != 0) return code;
    if (!options_.server.empty() && !fetch_round(options_)) code_ = 1;
    if (!options_.mqtt.url.empty() && !fetch_round_from_broker(options_)) code_ = 1;
    std::map<std::uint16_t, Asked> asked;
    std::set<std::uint16_t> doubled;
    for (const fs::directory_entry& entry : fs::directory_iterator(options_.home / "inbox")) {
      if (entry.path().extension() != ".bin") continue;
      Asked round{entry.path(), read_bytes(entry.path()), {}};
      const sotto::Status status = sotto::decode_round(round.bytes, round.decoded);
      if (status != sotto::Status::ok) {
        refuse(entry.path().filename().string(), static_cast<sotto_status>(status));
        continue;
      }
      const std::uint16_t number = round.decoded.number;
      const auto [place, is_new] = asked.try_emplace(number, std::move(round));
      if (!is_new) doubled.insert(number);
    }
    // A device answers a round once: which of two it would be must not hang on the order of a directory.
    for (const std::uint16_t number : doubled) {
      std::fprintf(stderr,
                   "sotto-device: two files of the inbox are round %u: neither is answered; remove one of them\n",
                   number);
      code_ = 1;
      asked.erase(number);
    }
    for (auto& [number, round] : asked) answer(number, round);
    return code_;
  }

 private:
  struct Asked {
    fs::path path;
    Bytes bytes;
    sotto::Round decoded;
  };

  void read(Faults faults) {
    if (options_.data.empty()) return;
    readings_ = read_readings(options_.data, study_.features + 1, faults);
    if (!readings_.fault.empty())
      std::fprintf(stderr, "sotto-device: %s. It answers with what can be used: its silence would tell of readings\n",
                   readings_.fault.c_str());
  }

  void refuse(const std::string& what, sotto_status status) {
    std::fprintf(stderr, "sotto-device: %s: %s\n", what.c_str(), sotto_status_text(status));
    code_ = 1;
  }

  /// Opens the session; joins the study at the first start, if its readings can be used. From then on it answers, whatever
  /// they are.
  int join() {
    sotto_ledger& ledger = device_->ledger();
    sotto_status status =
        sotto_session_open(&device_->session(), manifest_.data(), manifest_.size(), &ledger, &device_->hooks());
    read(status == SOTTO_UNKNOWN_STUDY ? Faults::refused : Faults::answered);
    if (status == SOTTO_UNKNOWN_STUDY) {
      status = credential_ ? sotto_enrol(&ledger, manifest_.data(), manifest_.size(), &*credential_, &device_->hooks())
                           : sotto_enrol_plain(&ledger, manifest_.data(), manifest_.size(), &device_->hooks());
      if (status == SOTTO_OK)
        status =
            sotto_session_open(&device_->session(), manifest_.data(), manifest_.size(), &ledger, &device_->hooks());
    }
    if (status != SOTTO_OK) refuse("the study", status);
    if (status == SOTTO_OK && !sotto_ledger_consent(&ledger)) {
      std::fprintf(stderr, "sotto-device: the owner has not agreed: sotto-device agree %s\n", options_.home.c_str());
      code_ = 1;
    }
    return code_;
  }

  void answer(std::uint16_t number, const Asked& round) {
    const std::string name = "round " + std::to_string(number);
    const fs::path report = options_.home / "outbox" / ("round-" + std::to_string(number) + ".hex");
    const fs::path done = options_.home / "inbox" / ("round-" + std::to_string(number) + ".ack");
    if (fs::exists(done)) {
      settle(number, report, done);
      return;
    }
    // The cohort follows from public coins; asking the library would give the same answer as a refusal.
    if (credential_ && round.decoded.cohort != sotto::k_every_cohort) {
      const std::uint32_t own = sotto::cohort_of(study_, credential_->pseudonym);
      if (own != round.decoded.cohort) {
        std::printf("%s asks cohort %u; this device is in cohort %u\n", name.c_str(), round.decoded.cohort, own);
        return;
      }
    }
    std::uint8_t bytes[SOTTO_REPORT_BYTES_MAX];
    std::size_t used = 0;
    const sotto_status status = ask(round, bytes, used);
    switch (status) {
      case SOTTO_OK: break;
      case SOTTO_NOT_IN_COHORT: std::printf("%s asks another cohort\n", name.c_str()); return;
      case SOTTO_SPENT_UNSENT:
        std::printf("%s: paid for, and the report was lost; it is not drawn a second time\n", name.c_str());
        return;
      case SOTTO_ROUND_NOT_OPEN: std::printf("%s has not opened yet\n", name.c_str()); return;
      case SOTTO_ROUND_CLOSED: std::printf("%s has closed\n", name.c_str()); return;
      case SOTTO_ALREADY_ANSWERED:
      case SOTTO_OVER_ANSWERS: std::printf("%s: this device has answered\n", name.c_str()); return;
      default: refuse(name, status); return;
    }
    write_whole(report, hex_line(bytes, used));  // also over one of a study that this home had before
    std::printf("%s: %s, %zu bytes\n", name.c_str(), report.c_str(), used);
    if (!options_.send.empty() || !options_.server.empty() || !options_.mqtt.url.empty())
      send(number, round, report, done, std::string(bytes, bytes + used));
  }

  sotto_status ask(const Asked& round, std::uint8_t* report, std::size_t& used) {
    sotto_local local{};
    if (options_.given) local.given = sotto_choose(*options_.given);
    const std::uint32_t columns = readings_.columns;
    const Secret rows(readings_.values.size() * sizeof(std::int16_t) + 1);
    auto* const values = static_cast<std::int16_t*>(rows.get());
    const std::int16_t none = study_.units == sotto::RowUnits::own ? sotto::k_missing_reading : std::int16_t{0};
    for (std::size_t i = 0; i < readings_.values.size(); ++i) {
      const std::int32_t reading = readings_.values[i];
      values[i] = reading == k_no_reading
                      ? none
                      : sotto_reading(&device_->session(), static_cast<std::uint32_t>(i % columns), reading);
    }
    local.samples = {readings_.rows(), study_.features, values, study_.features + 1, nullptr, nullptr};
    sotto_status status = SOTTO_SHORT_BUFFER;
    // A work space that is too small is refused before a row is read, and costs nothing: twice as much, then.
    for (std::size_t room = k_work_first; status == SOTTO_SHORT_BUFFER && room <= k_work_last; room *= 2) {
      const Secret work(room);
      status = sotto_answer(&device_->session(), round.bytes.data(), round.bytes.size(), &local, work.get(),
                            work.size(), report, SOTTO_REPORT_BYTES_MAX, &used);
    }
    return status;
  }

  /// Sends, or calls the program that does, when the device's slot of the sending window has come.
  void send(std::uint16_t number, const Asked& round, const fs::path& report, const fs::path& done,
            const std::string& bytes) {
    const double slot = sotto_slot(&device_->session(), number) / 4294967296.0;
    const auto wait =
        std::chrono::duration<double>(fs::last_write_time(round.path) - fs::file_time_type::clock::now()).count() +
        slot * options_.window;
    if (wait > 0) {
      std::printf("round %u: to be sent in %.0f s\n", number, wait);
      return;
    }
    if (!deliver(report, bytes)) {
      std::fprintf(stderr, "sotto-device: round %u: not sent; the next start tries again\n", number);
      code_ = 1;
      return;
    }
    write_whole(done, "");
    settle(number, report, done);
  }

  [[nodiscard]] bool deliver(const fs::path& report, const std::string& bytes) const {
    if (!options_.send.empty()) return call_program(report);
    return options_.server.empty() ? post_report_to_broker(options_, bytes) : post_report(options_, bytes);
  }

  [[nodiscard]] bool call_program(const fs::path& report) const {
    std::string program = options_.send, file = report.string();
    char* arguments[] = {program.data(), file.data(), nullptr};
    pid_t child = 0;
    int ended = -1;
    if (::posix_spawnp(&child, arguments[0], nullptr, nullptr, arguments, environ) == 0) ::waitpid(child, &ended, 0);
    return WIFEXITED(ended) && WEXITSTATUS(ended) == 0;
  }

  /// The server has the report: the ledger and the outbox need it no longer. An acknowledgement of what was never answered is removed.
  void settle(std::uint16_t number, const fs::path& report, const fs::path& done) {
    const sotto_status status = sotto_acknowledge(&device_->session(), number);
    if (status == SOTTO_OK) std::printf("round %u: the server has the report\n", number);
    if (status != SOTTO_OK && status != SOTTO_ALREADY_ANSWERED) {
      refuse("acknowledgement of round " + std::to_string(number), status);
      if (status == SOTTO_NOT_ANSWERED) fs::remove(done);
      return;
    }
    fs::remove(report);
  }

  const AgentOptions& options_;
  Bytes manifest_;
  sotto::Manifest study_;
  std::optional<sotto_credential> credential_;
  Readings readings_;
  std::unique_ptr<Device> device_;
  int code_ = 0;
};

}  // namespace

int run_agent(const AgentOptions& options) {
  if (!options.server.empty() && !fetch_study(options)) return 0;
  if (!options.mqtt.url.empty()) fetch_study_from_broker(options);
  return Agent(options).run();
}

int set_consent(const AgentOptions& options, bool on) {
  fs::create_directories(options.home);
  Device device(options);
  const sotto_status status = sotto_ledger_set_consent(&device.ledger(), on);
  if (status != SOTTO_OK) throw Unusable(std::string("consent: ") + sotto_status_text(status));
  return 0;
}
