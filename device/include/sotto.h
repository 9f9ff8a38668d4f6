/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */
#ifndef SOTTO_H
#define SOTTO_H

/* What a firmware needs, in C99: four hooks in, bytes to send out.
 *
 *   sotto_ledger ledger;   sotto_session session;              yours; nothing is static and nothing is allocated
 *   uint64_t words[SOTTO_LEDGER_MEMORY_BYTES(1, 34) / 8];      what the ledger holds, here one study with reports of 34 bytes
 *   sotto_ledger_create(...) once, ever; sotto_ledger_open(...) at every boot
 *   sotto_ledger_set_consent(&ledger, true)                    when the owner agrees; it stays through reboots. Ask while it is off
 *   sotto_enrol(&ledger, manifest, size, &credential, &hooks)  once per study; the verify hook is asked first
 *   sotto_session_open(&session, manifest, size, &ledger, &hooks)
 *   sotto_answer(&session, round, size, &local, work, work_size, report, report_size, &used)  -> send report[0 .. used)
 *   sotto_acknowledge(&session, round_number)                  when it arrived
 *
 * Every function that can refuse returns a sotto_status; a refusal never depends on a private value. After a reboot call
 * sotto_answer() again: it returns the same bytes, or refuses. Objects are not thread-safe without a lock hook. A hook that calls
 * back is refused: SOTTO_REENTERED by the session that called it, SOTTO_BUSY by the ledger.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sotto/work_bytes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The numbers of sotto::Status (shared/include/sotto/status.hpp, where each is explained). 0 is done. */
typedef uint8_t sotto_status;
enum {
  SOTTO_OK = 0,
  SOTTO_BAD_DIMENSION = 1,
  SOTTO_BAD_CHANNEL = 2,
  SOTTO_BAD_EPSILON = 3,
  SOTTO_OVER_CAP = 4,
  SOTTO_OVERSPENT = 5,
  SOTTO_UNCERTIFIED_POINT = 6,
  SOTTO_UNCERTIFIED = 7,
  SOTTO_ENTROPY_NOT_READY = 8,
  SOTTO_ENTROPY_FAULT = 9,
  SOTTO_SHORT_BUFFER = 10,
  SOTTO_BAD_MAGIC = 11,
  SOTTO_UNSUPPORTED_VERSION = 12,
  SOTTO_TRUNCATED = 13,
  SOTTO_TRAILING_BYTES = 14,
  SOTTO_BAD_FIELD = 15,
  SOTTO_TOO_LARGE = 16,
  SOTTO_FOREIGN_STUDY = 17,
  SOTTO_UNSUPPORTED_QUESTION = 18,
  SOTTO_NOT_IN_COHORT = 19,
  SOTTO_BAD_SIGNATURE = 20,
  SOTTO_NOT_PREPARED = 21,
  SOTTO_TIME_OBSERVED = 22,
  SOTTO_OVER_ANSWERS = 23,
  SOTTO_NEEDS_CREDENTIAL = 24,
  SOTTO_SELF_TEST_FAILED = 30,
  SOTTO_SEAL_FAULT = 31,
  SOTTO_NO_LEDGER = 32,
  SOTTO_LEDGER_EXISTS = 33,
  SOTTO_LEDGER_CORRUPT = 34,
  SOTTO_LEDGER_FOREIGN = 35,
  SOTTO_LEDGER_FULL = 36,
  SOTTO_FLASH_GEOMETRY = 37,
  SOTTO_FLASH_FAULT = 38,
  SOTTO_COUNTER_FAULT = 39,
  SOTTO_ROLLED_BACK = 40,
  SOTTO_BUSY = 41,
  SOTTO_CONSENT_OFF = 42,
  SOTTO_UNKNOWN_STUDY = 43,
  SOTTO_STUDY_EXISTS = 44,
  SOTTO_OVER_STUDY_CAP = 45,
  SOTTO_OVER_TOTAL_CAP = 46,
  SOTTO_ALREADY_ANSWERED = 47,
  SOTTO_SPENT_UNSENT = 48,
  SOTTO_NOT_ANSWERED = 49,
  SOTTO_BAD_REPORT_SIZE = 50,
  SOTTO_STALE_SESSION = 51,
  SOTTO_STUDY_REMOVED = 52,
  SOTTO_LEDGER_IN_USE = 53,
  SOTTO_OVERLAPPING_BUFFERS = 54,
  SOTTO_LEDGER_WORN = 55,
  SOTTO_REENTERED = 56,
  SOTTO_WORK_SPACE_LOST = 57
};

/* The status in a word, "over_total_cap". A firmware that does not call it does not carry the text. */
const char* sotto_status_text(sotto_status status);

/* Library version as major * 10000 + minor * 100 + patch, and of the formats on the wire and in the flash. */
uint32_t sotto_version(void);
uint32_t sotto_wire_version(void);
uint32_t sotto_ledger_version(void);

/* -- Hooks ------------------------------------------------------------------------------------------------------------ */

/* Random bytes of the hardware. There is no default and no fallback. */
typedef struct {
  void* context;
  bool (*ready)(void* context);
  bool (*read)(void* context, uint8_t* out, size_t bytes);
} sotto_entropy;

/* Flash for the ledger alone: 2 sectors or more of 512 bytes or more. See sotto/ledger/flash.hpp for what each must do. */
typedef struct {
  void* context;
  bool (*read)(void* context, uint32_t address, uint8_t* out, uint32_t bytes);
  bool (*program)(void* context, uint32_t address, const uint8_t* data, uint32_t bytes);
  bool (*erase)(void* context, uint32_t sector);
  bool (*sync)(void* context);
  uint32_t sector_bytes;
  uint16_t sectors;
  uint8_t program_unit; /* 1, 2, 4, 8, 16 or 32 */
  uint8_t erased;       /* 0xff or 0x00 */
} sotto_flash;

typedef struct {
  void* context;
  bool (*enter)(void* context);
  void (*leave)(void* context);
} sotto_lock;

/* A number in hardware that only rises: with it an older copy of the flash is refused. It rises by one with each charge, removal and
 * change of consent or policy, and whenever the ledger is created or opened, which then writes its image and erases a sector:
 * where the counter or the flash stands few writes, open the ledger when there is a round to answer, not at every wake. */
typedef struct sotto_counter {
  void* context;
  bool (*read)(void* context, uint32_t* value);
  bool (*advance)(void* context, uint32_t value);
  /* sotto_counter_settle, the ledger's side of it: named here so that a firmware without a counter does not carry it. */
  sotto_status (*settle)(const struct sotto_counter* counter, uint32_t* acts, uint8_t what);
} sotto_counter;
sotto_status sotto_counter_settle(const sotto_counter* counter, uint32_t* acts, uint8_t what);

/* A key that only this device's hardware knows: who can write the flash and has no key cannot write a ledger. For the whole life
 * of a ledger, from sotto_ledger_create() on. */
typedef struct sotto_image_key {
  void* context;
  /* HMAC-SHA-256 of the bytes, computed where the key is. */
  bool (*code)(void* context, const uint8_t* bytes, size_t count, uint8_t out[32]);
  /* sotto_image_tag, the ledger's side of it: named here so that a firmware without a key does not carry it. */
  bool (*tag)(const struct sotto_image_key* key, void* image, bool check, void* fault);
} sotto_image_key;
bool sotto_image_tag(const sotto_image_key* key, void* image, bool check, void* fault);

typedef struct {
  const sotto_lock* lock;       /* or NULL */
  const sotto_counter* counter; /* or NULL */
  const sotto_image_key* key;   /* or NULL */
} sotto_ledger_hooks;

/* The rows that this device holds: Q15 after the study's offset and scale (sotto_reading()), the target after the features.
 * Either `mapped`, row-major, `stride` numbers apart, or `read` fills part of a row. See sotto/local/samples.hpp. */
typedef struct {
  uint32_t rows;
  uint32_t features;
  const int16_t* mapped;
  uint32_t stride;
  void* context;
  bool (*read)(void* context, uint32_t row, uint32_t first_column, uint32_t count, int16_t* out);
} sotto_samples;

typedef struct {
  sotto_samples samples;
  uint32_t given; /* the firmware's own answer, for rounds that ask for it; SOTTO_NOTHING_TO_SAY without one */
} sotto_local;
#define SOTTO_NOTHING_TO_SAY UINT32_C(0xffffffff)

/* A kind of question. List those that the firmware answers: the linker drops the others. */
typedef struct sotto_question sotto_question;
const sotto_question* sotto_vote_given(void);  /* the firmware's own answer */
const sotto_question* sotto_vote_screen(void); /* and screening, largest mean */
const sotto_question* sotto_vote(void);        /* and Lasso, SCAD */
const sotto_question* sotto_bin(void);
const sotto_question* sotto_bin_cells(void); /* and cells of a grid with the target's sign */
const sotto_question* sotto_block(void);
const sotto_question* sotto_moments(void);
const sotto_question* sotto_moments_fourier(void); /* and of random Fourier features */
const sotto_question* sotto_value(void);
const sotto_question* sotto_direction(void);
const sotto_question* sotto_label(void);
const sotto_question* sotto_update(void);
/* With additive noise, whose time varies: refused where the hooks say that time is observed, and while the cap on delta is 0. */
const sotto_question* sotto_label_noisy(void);
const sotto_question* sotto_update_noisy(void);
const sotto_question* sotto_sketch(void);
const sotto_question* sotto_synopsis(void);

/* What a platform's AEAD seals in place. */
typedef struct {
  const uint8_t* key;   /* 32 bytes */
  const uint8_t* nonce; /* 12 bytes */
  const void* associated;
  size_t associated_bytes;
  uint8_t* text;
  size_t text_bytes;
  uint8_t* tag; /* 16 bytes, to be written */
} sotto_aead_text;

typedef struct {
  sotto_entropy entropy;
  const sotto_question* const* questions; /* those that this firmware answers */
  size_t question_count;
  void* verify_context; /* optional: who vouches for manifests and rounds */
  bool (*verify)(void* context, const uint8_t* body, size_t body_bytes, const uint8_t* signature,
                 size_t signature_bytes);
  void* aead_context; /* optional: the platform's own ChaCha20-Poly1305, sotto/aead.hpp */
  bool (*aead_seal)(void* context, const sotto_aead_text* text);
  bool time_observed; /* others can watch how long a call takes */
} sotto_hooks;

/* -- Ledger ----------------------------------------------------------------------------------------------------------- */

/* Epsilon in nano-nats, delta in 2^-64. */
typedef struct {
  uint64_t epsilon;
  uint64_t delta;
} sotto_charge;

/* The most that is ever spent. There is no default: zeros refuse everything. */
typedef struct {
  sotto_charge per_study;
  sotto_charge total;
} sotto_policy;

/* Issued by `sotto enroll` for one device and one study. */
typedef struct {
  uint64_t pseudonym;
  uint8_t key[32];
} sotto_credential;

/* What the ledger knows of so many studies, each with room for a report of that size (34 bytes for a sealed vote). Yours to
 * place, in uint64_t; it holds keys while the ledger is open. */
#define SOTTO_LEDGER_MEMORY_BYTES(studies, report_bytes) (128 + (studies) * ((94 + (report_bytes) + 31) / 32 * 32))
typedef struct {
  uint64_t* words;
  uint32_t bytes;
  uint32_t report_bytes; /* 1 to 1024; used by sotto_ledger_create(), from then on as it is in the flash */
} sotto_ledger_memory;

#if UINTPTR_MAX > 0xffffffffu
#define SOTTO_LEDGER_BYTES 128
#define SOTTO_SESSION_BYTES 1024
#else
#define SOTTO_LEDGER_BYTES 96
#define SOTTO_SESSION_BYTES 768
#endif
/* Opaque; yours to place. The hooks that you pass must outlive them. Before its first use an object is zeros, as static memory
 * is: what stands there is asked whether a call is in progress, and how often the ledger was opened. (Other bytes are harmless:
 * any number of lives will do, and a call in progress is a word of 32 bits.) */
typedef struct {
  uint64_t opaque[SOTTO_LEDGER_BYTES / 8];
} sotto_ledger;
typedef struct {
  uint64_t opaque[SOTTO_SESSION_BYTES / 8];
} sotto_session;

/* The memory's words, flash and hooks must outlive the ledger. SOTTO_SHORT_BUFFER: the flash holds more than the memory. The device's
 * secret is drawn from the entropy hook. Create one only where opening said SOTTO_NO_LEDGER; every other refusal is for a person to look at. Sessions of before are stale then. */
sotto_status sotto_ledger_create(sotto_ledger* ledger, const sotto_ledger_memory* memory, const sotto_flash* flash,
                                 const sotto_ledger_hooks* hooks, const sotto_policy* policy,
                                 const sotto_entropy* entropy);
sotto_status sotto_ledger_open(sotto_ledger* ledger, const sotto_ledger_memory* memory, const sotto_flash* flash,
                               const sotto_ledger_hooks* hooks);
/* Wipes the memory. Call it before the memory is used for something else, or the ledger opened anew. */
void sotto_ledger_close(sotto_ledger* ledger);
/* The owner's decision, kept in the flash. Call it when the owner decides, not at every boot: that would undo a withdrawal. */
sotto_status sotto_ledger_set_consent(sotto_ledger* ledger, bool on);
sotto_status sotto_ledger_set_policy(sotto_ledger* ledger, const sotto_policy* policy);
sotto_charge sotto_ledger_spent(const sotto_ledger* ledger);
bool sotto_ledger_consent(const sotto_ledger* ledger);

/* Adds a study with its credential; or, where the study needs none, under a pseudonym from the entropy hook. First the verify
 * hook is asked: SOTTO_BAD_SIGNATURE, and nothing is enrolled. `hooks` may not be NULL. */
sotto_status sotto_enrol(sotto_ledger* ledger, const uint8_t* manifest, size_t manifest_bytes,
                         const sotto_credential* credential, const sotto_hooks* hooks);
sotto_status sotto_enrol_plain(sotto_ledger* ledger, const uint8_t* manifest, size_t manifest_bytes,
                               const sotto_hooks* hooks);
/* Ends a study: its key and report are erased, what it spent stays spent, and it cannot be enrolled again. */
sotto_status sotto_ledger_remove(sotto_ledger* ledger, const uint8_t* manifest, size_t manifest_bytes);

/* -- Session ---------------------------------------------------------------------------------------------------------- */

/* Begins a new session: close the one that the memory held before. Once the ledger was opened or created anew, every call of the
 * session is refused as SOTTO_STALE_SESSION, except sotto_session_close(): open it again. */
sotto_status sotto_session_open(sotto_session* session, const uint8_t* manifest, size_t manifest_bytes,
                                sotto_ledger* ledger, const sotto_hooks* hooks);
/* Wipes what a session held: answer, coins, their key. Call it before its memory is used for something else. */
void sotto_session_close(sotto_session* session);

/* Checks everything, then computes the local answer. The round's bytes and the work space must stay until sotto_send(). Work space
 * and report lie apart from each other and from round, manifest, session and ledger: else SOTTO_OVERLAPPING_BUFFERS. */
sotto_status sotto_prepare(sotto_session* session, const uint8_t* round, size_t round_bytes, const sotto_local* local,
                           void* work, size_t work_bytes);
/* Charges, draws, seals, stores; then the bytes may leave. At most SOTTO_REPORT_BYTES_MAX. Each session that is prepared needs a work
 * space of its own: where another one prepared in the same memory, SOTTO_WORK_SPACE_LOST, and nothing is charged. */
sotto_status sotto_send(sotto_session* session, uint8_t* report, size_t report_bytes, size_t* used);
/* Both. What is wrong with the report's buffer is refused before the first sample is read. */
sotto_status sotto_answer(sotto_session* session, const uint8_t* round, size_t round_bytes, const sotto_local* local,
                          void* work, size_t work_bytes, uint8_t* report, size_t report_bytes, size_t* used);
sotto_status sotto_acknowledge(sotto_session* session, uint16_t round_number);
/* When to send, as a fraction of the sending window in 2^-32: it does not depend on how long the answer took. */
uint32_t sotto_slot(const sotto_session* session, uint16_t round_number);
#define SOTTO_REPORT_BYTES_MAX 1024

/* A reading of feature j (or of the target, j = features) as Q15, by the manifest's offset and scale; 0 beyond, or without a study. */
int16_t sotto_reading(const sotto_session* session, uint32_t j, int32_t reading);

/* Bytes of work space for a vote with selectors (sotto_vote). */
size_t sotto_vote_work_bytes(uint32_t nominal_rows, uint32_t keep, bool mapped);
#define SOTTO_VOTE_GIVEN_WORK_BYTES 64

/* -- Self-test -------------------------------------------------------------------------------------------------------- */

/* For a shell or a production line: known answers of ChaCha, SHA-256, Poly1305 and a vote; two seeds of the entropy hook and
 * their health; and, with a flash that holds NO ledger (it is erased), a ledger that is created, charged, reopened and erased.
 * SOTTO_SELF_TEST_FAILED names a known answer; other refusals are those of the part that failed. */
sotto_status sotto_self_test(const sotto_entropy* entropy, const sotto_flash* spare_flash /* or NULL */);

/* -- Signatures -------------------------------------------------------------------------------------------------------- */

/* Ed25519 (RFC 8032), for firmware without a library of its own that has it. Put it into sotto_hooks.verify, and the issuer's public key
 * (`sotto keygen`, 32 bytes that are only read) into verify_context: manifests and rounds that are not signed with its secret are
 * SOTTO_BAD_SIGNATURE. A firmware that does not name it does not carry it. Hooks for libsodium, Monocypher and PSA: device/ports/crypto. */
#define SOTTO_PUBLIC_KEY_BYTES 32
#define SOTTO_ED25519_SIGNATURE_BYTES 64
bool sotto_ed25519_verify(void* public_key, const uint8_t* body, size_t body_bytes, const uint8_t* signature,
                          size_t signature_bytes);

#ifdef __cplusplus
}
#endif

#endif
