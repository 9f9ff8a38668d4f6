// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "batch_rows.hpp"

#include <fmt/format.h>

#include "ordered_key.hpp"
#include "run_pieces.hpp"
#include "sotto/analyzer/store/row_seal.hpp"

namespace sotto::analyzer {
namespace {

Result<Done> put_fates(const Database& database, std::int64_t batch, const ReasonCounts& counts) {
  Result<Statement> insert = database.prepare("INSERT INTO fates(batch, reason, reports) VALUES(?, ?, ?)");
  if (!insert) return insert.error();
  SealSum added;
  for (std::size_t i = 0; i < k_reasons; ++i) {
    if (counts.of[i] == 0) continue;
    insert.value()
        .bind(0, batch)
        .bind(1, static_cast<std::int64_t>(i))
        .bind(2, static_cast<std::int64_t>(counts.of[i]));
    if (const auto done = insert.value().run(); !done) return done.error();
    const auto reason = static_cast<std::int64_t>(i), reports = static_cast<std::int64_t>(counts.of[i]);
    added.put(RowDigest("fates").add(batch).add(reason).add(reports).finish());
  }
  return move_seal(database, "fates", added);
}

}  // namespace

Result<Done> put_batch_row(const Database& database, const BatchRow& row) {
  Result<Statement> insert = database.prepare(
      "INSERT INTO batches(round, number, taken_back, digest, readings_digest, readings, bytes) "
      "VALUES(?, ?, ?, ?, ?, ?, ?)");
  if (!insert) return insert.error();
  const Digest digest = digest_of(row.bytes), readings_digest = digest_of(row.readings);
  const auto taken_back = static_cast<std::int64_t>(row.taken_back);
  insert.value().bind(0, row.round).bind(1, ordered_key(row.number)).bind(2, taken_back).bind(3, digest);
  insert.value().bind(4, readings_digest).bind(5, row.readings).bind(6, row.bytes);
  if (const auto done = insert.value().run(); !done) return done.error();
  const std::int64_t id = database.last_row();
  SealSum stored;
  stored.put(RowDigest("batches")
                 .add(id)
                 .add(std::int64_t{row.round})
                 .add(ordered_key(row.number))
                 .add(taken_back)
                 .add(std::span<const std::uint8_t>(digest))
                 .add(std::span<const std::uint8_t>(readings_digest))
                 .finish());
  if (const auto done = move_seal(database, "batches", stored); !done) return done.error();
  return put_fates(database, id, row.counts);
}

std::string batch_name(std::uint16_t round, std::uint64_t number) { return fmt::format("batch {}/{}", round, number); }

Error closed_round(std::string name) {
  return {"store.round_closed", "a closed round takes no batch", std::move(name), "send it to a round that is open"};
}

Error other_index(std::string name) {
  return {"store.other_index", "the collector keeps another duplicate index than this run", std::move(name),
          "open the collector with the index of the store"};
}

Error other_study(std::string name) {
  return {"store.other_study", "the collector serves another study than this run", std::move(name),
          "open the collector with the manifest of the run"};
}

}  // namespace sotto::analyzer
