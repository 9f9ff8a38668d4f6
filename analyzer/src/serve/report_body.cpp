// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "report_body.hpp"

#include "sotto/analyzer/ingest/batch.hpp"
#include "sotto/bytes.hpp"
#include "sotto/wire/report.hpp"

namespace sotto::analyzer {
namespace {

/// One report, or the reports of a batch, as a batch; empty where the body is neither.
std::vector<std::uint8_t> batch_of(std::vector<std::uint8_t> body, const Digest& study) {
  ReportHeader header;
  if (decode_header(body, header) == Status::ok && header.study_prefix == load_u32(study.data())) {
    std::vector<std::uint8_t> batch;
    if (body.size() <= k_report_bytes_max) append_report(batch, body);
    return batch;
  }
  BatchReader reader(body);
  while (reader.next()) {
  }
  return reader.torn() ? std::vector<std::uint8_t>() : std::move(body);
}

}  // namespace

bool take_body(StudyService& service, std::vector<std::uint8_t> body, BodyAnswer answer) {
  std::vector<std::uint8_t> batch = batch_of(std::move(body), service.digest_bytes());
  const bool is_readable = !batch.empty();
  // What is neither a report nor a batch is counted as one unreadable report.
  if (!is_readable) batch = {0xff, 0xff};
  return service.submit(std::move(batch), [answer = std::move(answer), is_readable](const Outcome& outcome) {
    answer(is_readable, outcome);
  });
}

}  // namespace sotto::analyzer
