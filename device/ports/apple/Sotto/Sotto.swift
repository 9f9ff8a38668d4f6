// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
import CSotto
import Foundation

/// A refusal of the device library. It never depends on private data.
public struct SottoError: Error, CustomStringConvertible {
  public let status: sotto_status
  public let what: String
  public var description: String { "\(what): \(String(cString: sotto_status_text(status)))" }
}

private func check(_ status: sotto_status, _ what: String) throws {
  if status != SOTTO_OK { throw SottoError(status: status, what: what) }
}

/// What this device has spent, in a file that only this process uses. Keep it out of backups (`isExcludedFromBackup`).
/// One thread at a time.
public final class Ledger {
  private static let studies = 4
  private static let memoryBytes = 128 + studies * ((94 + Int(SOTTO_REPORT_BYTES_MAX) + 31) / 32 * 32)

  fileprivate let ledger: UnsafeMutablePointer<sotto_ledger>
  fileprivate let hooks: UnsafeMutablePointer<sotto_hooks>
  private let file: UnsafeMutablePointer<sotto_posix_flash>
  private let flash: UnsafeMutablePointer<sotto_flash>
  private let memory: UnsafeMutablePointer<sotto_ledger_memory>
  private let words: UnsafeMutableRawPointer
  private let questions: UnsafeMutablePointer<OpaquePointer?>
  private let issuerKey: UnsafeMutablePointer<UInt8>

  /// Opens the ledger, and creates it where there is none yet, with consent off. Any other refusal needs a person's attention.
  /// With the issuer's public key, 32 bytes of `sotto keygen`, studies and rounds without a valid signature are refused.
  public init(file url: URL, studyNats: Double, totalNats: Double, issuer: Data? = nil) throws {
    precondition(issuer == nil || issuer!.count == Int(SOTTO_PUBLIC_KEY_BYTES), "a public key has 32 bytes")
    guard let secret = sotto_posix_secret_memory(Ledger.memoryBytes) else { throw POSIXError(.ENOMEM) }
    words = secret
    ledger = .allocate(capacity: 1)
    ledger.initialize(to: sotto_ledger())
    hooks = .allocate(capacity: 1)
    hooks.initialize(to: sotto_hooks())
    file = .allocate(capacity: 1)
    file.initialize(to: sotto_posix_flash())
    flash = .allocate(capacity: 1)
    flash.initialize(to: sotto_flash())
    memory = .allocate(capacity: 1)
    memory.initialize(
      to: sotto_ledger_memory(
        words: secret.assumingMemoryBound(to: UInt64.self), bytes: UInt32(Ledger.memoryBytes),
        report_bytes: UInt32(SOTTO_REPORT_BYTES_MAX)))
    questions = .allocate(capacity: 3)
    questions[0] = sotto_vote()
    questions[1] = sotto_value()
    questions[2] = sotto_direction()
    hooks.pointee.entropy = sotto_posix_entropy()
    hooks.pointee.questions = UnsafePointer(questions)
    hooks.pointee.question_count = 3
    hooks.pointee.clock = sotto_posix_clock()
    issuerKey = .allocate(capacity: Int(SOTTO_PUBLIC_KEY_BYTES))
    if let issuer {
      issuer.copyBytes(to: issuerKey, count: Int(SOTTO_PUBLIC_KEY_BYTES))
      hooks.pointee.verify_context = UnsafeMutableRawPointer(issuerKey)
      hooks.pointee.verify = { sotto_ed25519_verify($0, $1, $2, $3, $4) }
    }
    guard sotto_posix_flash_open(file, url.path, flash) else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    var status = sotto_ledger_open(ledger, memory, flash, nil)
    if status == SOTTO_NO_LEDGER {  // the first start, and no other refusal
      var policy = sotto_policy(
        per_study: sotto_charge(epsilon: UInt64(studyNats * 1e9), delta: 0), total: sotto_charge(epsilon: UInt64(totalNats * 1e9), delta: 0))
      status = sotto_ledger_create(ledger, memory, flash, nil, &policy, &hooks.pointee.entropy)
    }
    try check(status, "the ledger")
  }

  deinit {
    sotto_ledger_close(ledger)
    sotto_posix_flash_close(file)
    sotto_posix_secret_free(words, Ledger.memoryBytes)
    issuerKey.deallocate()
    questions.deallocate()
    memory.deallocate()
    flash.deallocate()
    file.deallocate()
    hooks.deallocate()
    ledger.deallocate()
  }

  /// Whether the owner's consent is on.
  public var consent: Bool { sotto_ledger_consent(ledger) }

  /// Records the owner's decision. Call it when the owner decides, not at every start.
  public func setConsent(_ on: Bool) throws { try check(sotto_ledger_set_consent(ledger, on), "consent") }

  /// Joins a study; one that was joined before is left as it is.
  public func enrol(manifest: Data, pseudonym: UInt64, key: Data) throws {
    precondition(key.count == 32, "a key has 32 bytes")
    var credential = sotto_credential()
    credential.pseudonym = pseudonym
    withUnsafeMutableBytes(of: &credential.key) { $0.copyBytes(from: key) }
    defer { withUnsafeMutableBytes(of: &credential) { _ = memset_s($0.baseAddress!, $0.count, 0, $0.count) } }
    let status = manifest.withUnsafeBytes {
      sotto_enrol(ledger, $0.bindMemory(to: UInt8.self).baseAddress, manifest.count, &credential, hooks)
    }
    if status != SOTTO_STUDY_EXISTS { try check(status, "enrolment") }
  }
}

/// Answers the rounds of one study.
public final class Session {
  private let ledger: Ledger
  private let session: UnsafeMutablePointer<sotto_session>
  private let manifest: UnsafeMutablePointer<UInt8>

  public init(ledger: Ledger, manifest bytes: Data) throws {
    self.ledger = ledger
    guard let secret = sotto_posix_secret_memory(MemoryLayout<sotto_session>.size) else { throw POSIXError(.ENOMEM) }
    session = secret.assumingMemoryBound(to: sotto_session.self)
    manifest = .allocate(capacity: bytes.count)
    bytes.copyBytes(to: manifest, count: bytes.count)
    try check(sotto_session_open(session, manifest, bytes.count, ledger.ledger, ledger.hooks), "the study")
  }

  deinit {
    sotto_session_close(session)
    sotto_posix_secret_free(session, MemoryLayout<sotto_session>.size)
    manifest.deallocate()
  }

  /// The report for a round, all that leaves the device, from rows of `features` readings and the target.
  public func answer(round: Data, features: Int, rows: [Int16]) throws -> Data {
    precondition(rows.count % (features + 1) == 0, "whole rows of features and a target")
    var report = [UInt8](repeating: 0, count: Int(SOTTO_REPORT_BYTES_MAX))
    var used = 0
    var room = 0
    let held = round.count
    try check(
      round.withUnsafeBytes { sotto_work_bytes(session, $0.bindMemory(to: UInt8.self).baseAddress, held, true, &room) },
      "the round")
    guard let work = sotto_posix_secret_memory(room) else { throw POSIXError(.ENOMEM) }
    defer { sotto_posix_secret_free(work, room) }
    let status = rows.withUnsafeBufferPointer { values in
      var local = sotto_local()  // zeros: no choice of the app's own
      local.samples.rows = UInt32(rows.count / (features + 1))
      local.samples.features = UInt32(features)
      local.samples.mapped = values.baseAddress
      local.samples.stride = UInt32(features + 1)
      return round.withUnsafeBytes {
        sotto_answer(
          session, $0.bindMemory(to: UInt8.self).baseAddress, held, &local, work, room, &report, report.count, &used)
      }
    }
    try check(status, "the round")
    return Data(report[0..<used])
  }

  /// The server has the report of this round: the stored copy is no longer needed.
  public func acknowledge(round number: UInt16) throws { try check(sotto_acknowledge(session, number), "acknowledgement") }

  /// A sensor's reading in the numbers that `answer` takes.
  public func reading(feature: Int, _ value: Int32) -> Int16 { sotto_reading(session, UInt32(feature), value) }
}
