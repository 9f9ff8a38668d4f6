// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <functional>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

#include "run_kit.hpp"

// What is committed stays, what is not is gone, whatever happens to the process, the file or the disk.
namespace sotto::analyzer {
namespace {

namespace fs = std::filesystem;

/// A process of its own that runs `body` and says through a pipe how far it is.
class Child {
 public:
  explicit Child(const std::function<void(const std::function<void()>& tell)>& body) {
    int ends[2];
    if (::pipe(ends) != 0) throw std::runtime_error("no pipe");
    pid_ = ::fork();
    if (pid_ == 0) {
      ::close(ends[0]);
      body([&] {
        if (::write(ends[1], "x", 1) != 1) ::_exit(3);
      });
      ::_exit(testing::Test::HasFailure() ? 1 : 0);
    }
    ::close(ends[1]);
    heard_ = ends[0];
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    ::close(heard_);
    if (pid_ > 0) (void)end(SIGKILL);
  }

  /// Waits for the next word; false at the end.
  [[nodiscard]] bool hear() const {
    char c = 0;
    return ::read(heard_, &c, 1) == 1;
  }
  /// With SIGKILL nothing in the process runs any more. With 0 it is let run. The status of its end.
  int end(int signal) {
    if (signal != 0) ::kill(pid_, signal);
    int status = -1;
    ::waitpid(pid_, &status, 0);
    pid_ = -1;
    return status;
  }

 private:
  pid_t pid_ = -1;
  int heard_ = -1;
};

void add_all(const RunKit& kit, const fs::path& path, const std::function<void()>& tell, bool backwards = false) {
  const auto store = RunStore::open(path).value();
  const auto collector = RunKit::resume(*store);
  for (std::size_t i = 0; i < kit.batches.size(); ++i) {
    const std::size_t b = backwards ? kit.batches.size() - 1 - i : i;
    const auto added = store->add_batch(*collector, 1, b, kit.batches[b]);
    ASSERT_TRUE(added.ok()) << added.error().message();
    if (!added.value().skipped) tell();
  }
}

TEST(RunStoreCuts, a_killed_run_goes_on_as_if_nothing_had_happened) {
  const RunKit kit(120, 300);
  const TemporaryDirectory directory;
  const fs::path path = directory / "run.sqlite";
  { const auto store = kit.create(path); }
  SeededEntropy draw(11);
  std::ptrdiff_t there = 0;
  for (int kill = 0; kill < 20; ++kill) {
    Child child([&](const auto& tell) { add_all(kit, path, tell); });
    std::ptrdiff_t told = there;
    for (std::uint32_t n = draw.word() % 8; n > 0 && child.hear(); --n) ++told;
    std::this_thread::sleep_for(std::chrono::microseconds(draw.word() % 4000));
    child.end(SIGKILL);
    const auto store = RunStore::open(path).value();
    there = kit.prefix(*store);
    ASSERT_GE(there, told) << "what was said to be stored is not";
    ASSERT_EQ(shown(*store), kit.expected(static_cast<std::size_t>(there)));
    ASSERT_TRUE(store->check().ok());
  }
  Child last([&](const auto& tell) { add_all(kit, path, tell); });
  ASSERT_EQ(last.end(0), 0);
  EXPECT_EQ(shown(*RunStore::open(path).value()), kit.expected(kit.batches.size()));
}

TEST(RunStoreCuts, a_killed_creation_is_created_again) {
  const RunKit kit(1);
  SeededEntropy draw(12);
  for (int kill = 0; kill < 10; ++kill) {
    const TemporaryDirectory directory;
    const fs::path path = directory / "run.sqlite";
    Child child([&](const auto& tell) {
      tell();
      const auto store = kit.create(path);
    });
    (void)child.hear();
    std::this_thread::sleep_for(std::chrono::microseconds(draw.word() % 3000));
    child.end(SIGKILL);
    const auto opened = RunStore::open(path);
    if (opened.ok()) {
      EXPECT_EQ(opened.value()->manifest(), kit.kit.compiled.manifest);
      continue;
    }
    EXPECT_TRUE(opened.error().code == "store.unfinished" || opened.error().code == "io.cannot_read");
    EXPECT_TRUE(RunStore::create(path, kit.kit.compiled.manifest, "{}").ok());
  }
}

TEST(RunStoreCuts, two_processes_store_every_batch_once) {
  const RunKit kit(40);
  const TemporaryDirectory directory;
  const fs::path path = directory / "run.sqlite";
  { const auto store = kit.create(path); }
  int told = 0;
  {
    Child forwards([&](const auto& tell) { add_all(kit, path, tell); });
    Child backwards([&](const auto& tell) { add_all(kit, path, tell, true); });
    while (forwards.hear()) ++told;
    while (backwards.hear()) ++told;
    ASSERT_EQ(forwards.end(0), 0);
    ASSERT_EQ(backwards.end(0), 0);
  }
  EXPECT_EQ(told, 40);
  const auto store = RunStore::open(path).value();
  EXPECT_EQ(kit.prefix(*store), 40);
  EXPECT_EQ(shown(*store), kit.expected(40));
  EXPECT_TRUE(store->check().ok());
}

TEST(RunStoreCuts, another_process_that_writes_is_named) {
  const RunKit kit(2);
  const TemporaryDirectory directory;
  const fs::path path = directory / "run.sqlite";
  { const auto store = kit.create(path); }
  Child writer([&](const auto& tell) {
    const auto database = Database::open(path, Database::Mode::existing, {}).value();
    const auto transaction = Transaction::begin(*database).value();
    tell();
    while (true) ::pause();
  });
  ASSERT_TRUE(writer.hear());
  const auto store = RunStore::open(path, {std::chrono::milliseconds(20), 0}).value();
  const auto collector = RunKit::resume(*store);
  const auto added = store->add_batch(*collector, 1, 0, kit.batches[0]);
  ASSERT_FALSE(added.ok());
  EXPECT_EQ(added.error().code, "store.busy");
  EXPECT_EQ(store->put_model("{}").error().code, "store.busy");
  EXPECT_EQ(shown(*store), Shown{});  // reading goes on
  EXPECT_EQ(shown(*collector), Shown{});
  writer.end(SIGKILL);
  ASSERT_TRUE(store->add_batch(*collector, 1, 0, kit.batches[0]).ok());
  EXPECT_EQ(shown(*collector), kit.expected(1));
}

TEST(RunStoreCuts, a_full_disk_stores_no_half_batch) {
  const RunKit kit(30);
  const TemporaryDirectory directory;
  const fs::path path = directory / "run.sqlite";
  std::size_t stored = 0;
  {
    const auto store = kit.create(path, {std::chrono::milliseconds(20), 60 * 1024});
    const auto collector = RunKit::resume(*store);
    while (true) {
      const auto added = store->add_batch(*collector, 1, stored, kit.batches[stored]);
      if (!added) {
        ASSERT_EQ(added.error().code, "io.disk_full");
        break;
      }
      ASSERT_LT(++stored, kit.batches.size());
    }
    ASSERT_GT(stored, 3u);
    EXPECT_FALSE(store->has_batch(1, stored));
    EXPECT_EQ(shown(*collector), kit.expected(stored));
    EXPECT_EQ(shown(*store), kit.expected(stored));
    EXPECT_EQ(store->add_batch(*collector, 1, stored, kit.batches[stored]).error().code, "io.disk_full");
    EXPECT_TRUE(store->check().ok());
  }
  add_all(kit, path, [] {});
  EXPECT_EQ(shown(*RunStore::open(path).value()), kit.expected(30));
}

/// A store whose first batches are in the database and whose last ones are in the log, copied while it is open.
class TornFiles : public testing::Test {
 protected:
  void SetUp() override {
    const fs::path whole = directory / "run.sqlite";
    auto store = kit.create(whole);
    for (std::size_t b = 0; b < kit.batches.size(); ++b) {
      if (b == k_in_database) store.reset();  // the last one to close copies the log into the database
      if (store == nullptr) store = RunStore::open(whole).value();
      const auto collector = RunKit::resume(*store);
      ASSERT_TRUE(store->add_batch(*collector, 1, b, kit.batches[b]).ok());
    }
    database = read(whole);
    log = read(whole.string() + "-wal");
    ASSERT_GT(log.size(), 4096u);
    for (std::size_t b = 0; b <= kit.batches.size(); ++b) expected.push_back(kit.expected(b));
  }

  static std::string read(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  /// A directory with these bytes; opens it.
  Result<std::unique_ptr<RunStore>> put(std::string_view database_bytes, std::string_view log_bytes) {
    torn.emplace();
    std::ofstream(*torn / "run.sqlite", std::ios::binary) << database_bytes;
    std::ofstream(*torn / "run.sqlite-wal", std::ios::binary) << log_bytes;
    return RunStore::open(*torn / "run.sqlite");
  }
  static bool is_named(const Error& error) {
    return error.code == "store.damaged" || error.code == "store.unfinished" || error.code == "store.not_a_run" ||
           error.code == "store.other_version";
  }
  /// Everything that it tells is right for the batches that it has, or is refused by name. Was all of it told?
  bool right_or_refused(const Result<std::unique_ptr<RunStore>>& opened) {
    if (!opened) {
      EXPECT_TRUE(is_named(opened.error())) << opened.error().message();
      return false;
    }
    const RunStore& store = *opened.value();
    const Result<Done> checked = store.check();
    if (!checked) {
      EXPECT_TRUE(is_named(checked.error())) << checked.error().message();
    }
    const std::ptrdiff_t there = kit.prefix(store);
    const Result<ReasonCounts> counts = store.counts();
    std::vector<Reading> readings;
    const Result<Done> walked = store.each_reading(1, [&](const Reading& r) { readings.push_back(r); });
    const auto among = [&](const auto& same) { return std::any_of(expected.begin(), expected.end(), same); };
    EXPECT_TRUE(counts.ok() ? among([&](const Shown& s) { return s.counts == counts.value(); })
                            : is_named(counts.error()));
    EXPECT_TRUE(walked.ok() ? among([&](const Shown& s) { return s.readings == readings; }) : is_named(walked.error()));
    if (!checked.ok()) return false;
    EXPECT_GE(there, 0);
    EXPECT_TRUE(counts.ok() && walked.ok());
    EXPECT_EQ((Shown{counts.value(), readings}),
              expected[static_cast<std::size_t>(std::max<std::ptrdiff_t>(there, 0))]);
    return true;
  }

  static constexpr std::size_t k_in_database = 5;
  const RunKit kit{9, 60};
  const TemporaryDirectory directory;
  std::optional<TemporaryDirectory> torn;
  std::string database, log;
  std::vector<Shown> expected;
};

TEST_F(TornFiles, the_copy_is_whole) {
  EXPECT_TRUE(right_or_refused(put(database, log)));
  const auto store = RunStore::open(*torn / "run.sqlite").value();
  EXPECT_EQ(kit.prefix(*store), 9);
}

TEST_F(TornFiles, a_log_that_ends_anywhere_gives_the_batches_before_its_end) {
  std::ptrdiff_t last = k_in_database;
  for (std::size_t size = 0; size < log.size(); size += size < 2300 ? 23 : 1013) {
    const auto opened = put(database, std::string_view(log).substr(0, size));
    ASSERT_TRUE(right_or_refused(opened)) << size;
    const std::ptrdiff_t there = kit.prefix(*opened.value());
    EXPECT_GE(there, last) << size;
    last = there;
  }
  EXPECT_GT(last, static_cast<std::ptrdiff_t>(k_in_database));
}

TEST_F(TornFiles, a_database_that_ends_anywhere_is_refused_or_right) {
  for (const std::string_view beside : {std::string_view(), std::string_view(log)}) {
    for (std::size_t size = 0; size < database.size(); size += size < 1100 ? 61 : 509)
      EXPECT_FALSE(right_or_refused(put(std::string_view(database).substr(0, size), beside)) && beside.empty()) << size;
  }
}

TEST_F(TornFiles, a_page_of_zeros_is_found) {
  constexpr std::size_t k_page = 4096;
  ASSERT_EQ(database.size() % k_page, 0u);
  for (std::size_t at = 0; at < database.size(); at += k_page) {
    std::string holed = database;
    holed.replace(at, k_page, k_page, '\0');
    EXPECT_FALSE(right_or_refused(put(holed, {}))) << "page " << at / k_page + 1;
  }
}

}  // namespace
}  // namespace sotto::analyzer
