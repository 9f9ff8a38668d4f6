/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */
#ifndef SOTTO_H
#define SOTTO_H

/** \file
 * The C99 interface of the device library: everything that a firmware calls.
 *
 * A server publishes a study as two kinds of byte strings. The manifest describes the study: its features, how readings
 * are scaled, the epsilon of one answer, and which questions may be asked. A round asks one question. The device
 * answers a round from the samples that it holds: it computes a local answer, randomizes it so that the report
 * satisfies epsilon-local differential privacy (for some questions (epsilon, delta)), and returns the bytes of the
 * report for the firmware to send. The ledger keeps in flash what was spent, so that neither a reboot nor a power cut
 * yields a second report from fresh randomness.
 *
 *   sotto_ledger ledger;                                  the caller owns all memory; nothing is static or allocated
 *   sotto_session session;
 *   uint64_t words[SOTTO_LEDGER_MEMORY_BYTES(1, SOTTO_VOTE_REPORT_BYTES) / 8];   memory of a ledger for one study
 *
 *   sotto_ledger_open(...)                                at every boot
 *   sotto_ledger_create(...)                              only if that returned SOTTO_NO_LEDGER
 *   sotto_ledger_set_consent(&ledger, true)               when the owner agrees; the decision survives reboots
 *   sotto_enrol(...)                                      once for each study
 *   sotto_session_open(...)                               before rounds of a study are answered
 *   sotto_round_info(...)                                 what a round asks, and where this device stands in it
 *   sotto_answer(...)                                     for each round; then send report[0] to report[used - 1]
 *   sotto_acknowledge(...)                                when the server has confirmed that the report arrived
 *
 * Every function that can refuse returns a sotto_status; sotto/statuses.h says what to do about each. A refusal never
 * depends on private data: a device with few, many or no samples answers alike. After a reboot call sotto_answer() with
 * the same round again: it returns the bytes that were stored before, or refuses. sotto/questions.h lists the questions.
 *
 * Memory. RAM for one study with sealed votes on a 32-bit core: 96 (sotto_ledger) + 768 (sotto_session) + 256 (words) +
 * 64 (work space) + 34 (report) = 1,218 bytes, and less than 1 KiB of stack (docs/SIZES.md). Static RAM: none.
 *
 * Linking. Static only: the layout of structs may change with any release, and the linker drops what is not called. A
 * header and a library of different versions do not link (SOTTO_VERSION).
 *
 * Threads. A session belongs to one thread. The lock hook protects the ledger alone, so that several threads may use it;
 * answer one round at a time for each ledger even so, because another answer between the charge and the store of a
 * report makes that report spent and unsent. The lock is held while the flash is programmed and erased, which may take
 * tens of milliseconds: use a mutex, not disabled interrupts.
 *
 * Interrupts. Call nothing of this from an interrupt handler. The library disables no interrupts and may be interrupted
 * anywhere; what a port must do while its flash is busy is the port's affair.
 *
 * Hooks. A hook must not call the library: the session that called the hook refuses with SOTTO_REENTERED, a ledger
 * during its own hooks and the entropy hook with SOTTO_BUSY. Unless stated otherwise, pointers must not be NULL, and a
 * refused call leaves its outputs unchanged.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sotto/questions.h"
#include "sotto/statuses.h"

#ifdef __cplusplus
extern "C" {
#endif

/* -- Hooks --------------------------------------------------------------------------------------------------------- */

/* The hardware's source of random bytes. There is no default and no fallback: without it nothing is sent. */
typedef struct {
  void* context; /* passed to the functions as it is, here and in all hooks below */
  /* Whether the generator has started up. */
  bool (*ready)(void* context);
  /* Fills all `bytes` bytes with conditioned, full-entropy output and returns true; or returns false. */
  bool (*read)(void* context, uint8_t* out, size_t bytes);
} sotto_entropy;

/* Flash that only the ledger uses: equal sectors, addressed in bytes from 0. A hook that fails returns false: the
 * ledger then writes nothing more and closes, and sotto_ledger_open() reads what is really in the flash. What the hooks
 * must guarantee, and the ledger's promise rests on:
 *   - A power cut in program() or erase() damages nothing but the units or the sector of that call.
 *   - What sync() returned true for is there after any later power cut; a cache in between must have been written.
 *   - No other code writes these sectors, and no wear levelling moves them behind the ledger's back. */
typedef struct {
  void* context;
  /* Returns the bytes as they are. A word that a power cut left half programmed may have any value; reading it must
   * neither fail nor fault. */
  bool (*read)(void* context, uint32_t address, uint8_t* out, uint32_t bytes);
  /* Programs whole, aligned program units, each at most once after an erase. The hook splits at page boundaries. */
  bool (*program)(void* context, uint32_t address, const uint8_t* data, uint32_t bytes);
  /* Erases one whole sector. */
  bool (*erase)(void* context, uint32_t sector);
  /* Returns true when all earlier writes will survive a power cut. Until then they may complete in any order. */
  bool (*sync)(void* context);
  uint32_t sector_bytes; /* 512 to 2^20, a multiple of 32; a sector must hold several copies of the ledger's memory */
  uint16_t sectors;      /* 2 to 2048 */
  uint8_t program_unit;  /* bytes: 1, 2, 4, 8, 16 or 32 */
  uint8_t erased;        /* the value of an erased byte: 0xff or 0x00 */
} sotto_flash;

/* A mutual-exclusion lock, for firmware that uses one ledger from more than one thread or core. */
typedef struct {
  void* context;
  bool (*enter)(void* context); /* takes the lock; false refuses the call as SOTTO_BUSY */
  void (*leave)(void* context); /* releases it */
} sotto_lock;

/* A monotonic counter in hardware (secure element, RPMB). With it an older copy of the flash is refused as
 * SOTTO_ROLLED_BACK. It advances by one with each charge, each removal of a study, each change of consent or policy,
 * and each time the ledger is created or opened; opening then also writes the ledger and erases a sector. If the
 * counter or the flash endures few writes, open the ledger when there is a round to answer, not at every wake-up. */
typedef struct sotto_counter {
  void* context;
  bool (*read)(void* context, uint32_t* value);
  /* Sets the counter to `value`, which is one more than before. */
  bool (*advance)(void* context, uint32_t value);
  /* Set this to sotto_counter_settle, the library's part. It is a pointer so that a firmware without a counter does not
   * link that code. Without it the ledger is refused as SOTTO_COUNTER_FAULT. */
  sotto_status (*settle)(const struct sotto_counter* counter, uint32_t* acts, uint8_t what);
} sotto_counter;
/* Only for sotto_counter.settle. */
sotto_status sotto_counter_settle(const sotto_counter* counter, uint32_t* acts, uint8_t what);

/* A secret key in this device's hardware (secure element, key slot of a crypto engine). With it the ledger in flash is
 * authenticated: who can write the flash but does not have the key cannot forge a ledger. It does not detect an older
 * copy of the flash; sotto_counter does. A ledger that is created with a key needs the same key for its whole life. */
typedef struct sotto_image_key {
  void* context;
  /* Writes the HMAC-SHA-256 of the bytes under the key. The key itself never leaves the hardware. */
  bool (*code)(void* context, const uint8_t* bytes, size_t count, uint8_t out[32]);
  /* Set this to sotto_image_tag, the library's part, a pointer for the same reason as sotto_counter.settle. Without it
   * the ledger is refused as SOTTO_LEDGER_FOREIGN. */
  bool (*tag)(const struct sotto_image_key* key, void* image, bool check, void* fault);
} sotto_image_key;
/* Only for sotto_image_key.tag. */
bool sotto_image_tag(const sotto_image_key* key, void* image, bool check, void* fault);

/* Optional protections of the ledger; each of the first three may be NULL. */
typedef struct sotto_ledger_hooks {
  const sotto_lock* lock;
  const sotto_counter* counter;
  const sotto_image_key* key;
  /* Set this to sotto_ledger_protect, the library's part, a pointer for the same reason as sotto_counter.settle: a
   * firmware that passes no hooks does not link it. Without it the ledger is refused as SOTTO_LEDGER_FOREIGN. */
  sotto_status (*protect)(const struct sotto_ledger_hooks* hooks, void* image, uint8_t moment, void* fault);
} sotto_ledger_hooks;
/* Only for sotto_ledger_hooks.protect. */
sotto_status sotto_ledger_protect(const sotto_ledger_hooks* hooks, void* image, uint8_t moment, void* fault);

/* The samples that this device holds: rows (records) of feature values and a target. The target is the column behind the
 * last feature. In a study whose devices use their own units, the default, the numbers are the sensors' readings as they
 * are, in any unit and with any offset; -32768 (SOTTO_NO_READING) says that there is no reading. Otherwise they are Q15
 * (32768 stands for 1.0) after the study's offset and scale. sotto_reading() converts a sensor's reading in either
 * case, sotto_range_place() one of 32 bits in the first. Give either `mapped` or `read`. */
typedef struct {
  uint32_t rows;         /* private: neither refusals nor the size of a report depend on it */
  uint32_t features;     /* as in the manifest; with another number the device answers as if it had no rows */
  const int16_t* mapped; /* rows in RAM or memory-mapped flash, row-major; used when `read` is NULL */
  uint32_t stride;       /* distance between two mapped rows, in numbers: at least features + 1 */
  void* context;
  /* Writes columns first_column to first_column + count - 1 of a row. What it returns false for counts as the
   * column's centre. Rows are read more than once: they must not change during a call, or the answer, not its
   * privacy, suffers. */
  bool (*read)(void* context, uint32_t row, uint32_t first_column, uint32_t count, int16_t* out);
} sotto_samples;

/* The firmware's own choice of a feature, for a vote whose round leaves it to the firmware; other rounds ignore it. Made
 * by sotto_choose(). Zeros, and any number that was not made so, say that there is nothing to say. */
typedef struct {
  uint32_t code;
} sotto_choice;
static inline sotto_choice sotto_choose(uint32_t feature) {
  sotto_choice choice;
  choice.code = feature ^ UINT32_C(0x80000000); /* no feature has such a number: zeros vote for none */
  return choice;
}

/* Integers of the firmware's own, for sotto_number(). With a hook, a public rule of the round says what is made of them:
 * the last one, their mean, the largest, or how many there are. Without a hook there is one, made by sotto_one_number(),
 * or none, all zeros. The hook is called as many times as the study has samples, whatever `count` is: beyond it with 0
 * again, and not at all if `count` is 0. */
typedef struct {
  uint32_t count; /* private; readings beyond the study's nominal number of rows are left out */
  void* context;
  int32_t (*read)(void* context, uint32_t i); /* reading number i, from 0; SOTTO_NO_NUMBER where there is none */
  int32_t one;                                /* the only reading, where there is no hook */
} sotto_numbers;
#define SOTTO_NO_NUMBER INT32_MIN
static inline sotto_numbers sotto_one_number(int32_t reading) {
  sotto_numbers numbers;
  numbers.count = 1;
  numbers.context = NULL;
  numbers.read = NULL;
  numbers.one = reading;
  return numbers;
}

/* What an answer is computed from. All of it is private. Zeros, SOTTO_LOCAL_INIT, are a device without rows that has
 * nothing to say. */
typedef struct {
  sotto_samples samples;
  sotto_choice given;
  sotto_numbers numbers; /* for sotto_number() */
  /* For sotto_top(): the item of this device, an id of up to 8 bytes (little-endian) or a string without its ending 0,
   * and its length. What is longer than the study's length is cut there; no item, or one of zeros, is an item like any
   * other. The bytes are read during the call alone. */
  uint32_t item_bytes;
  const uint8_t* item;
} sotto_local;
/* clang-format off */
#define SOTTO_LOCAL_INIT {{0, 0, NULL, 0, NULL, NULL}, {0}, {0, NULL, NULL, 0}, 0, NULL}
/* clang-format on */

/* One text that an AEAD hook encrypts in place and authenticates: ChaCha20-Poly1305 as in RFC 8439. */
typedef struct {
  const uint8_t* key;   /* 32 bytes */
  const uint8_t* nonce; /* 12 bytes */
  /* Additional data, authenticated and not encrypted; at a multiple of 4. */
  const void* associated;
  size_t associated_bytes;
  uint8_t* text;
  size_t text_bytes;
  uint8_t* tag; /* 16 bytes, to be written */
} sotto_aead_text;

/* The time, for devices that know it. With it a round that has times is refused as SOTTO_ROUND_NOT_OPEN before its
 * opening, as SOTTO_ROUND_CLOSED from its closing on, and as SOTTO_CLOCK_NOT_SET while the time is not known. Reports
 * that are stored already are still returned. Without it the times of a round are ignored. */
typedef struct sotto_clock {
  void* context;
  /* Writes the seconds since 1970-01-01 00:00 UTC; false: not known. */
  bool (*now)(void* context, uint64_t* seconds);
  /* Set this to sotto_clock_check, the library's part, a pointer for the same reason as sotto_counter.settle. */
  sotto_status (*check)(const struct sotto_clock* clock, const void* round);
} sotto_clock;
/* Only for sotto_clock.check. */
sotto_status sotto_clock_check(const sotto_clock* clock, const void* round);

/* What a session needs beside the ledger. Entropy and questions are required; the other hooks may be zero,
 * and are then not used. */
typedef struct {
  sotto_entropy entropy;
  const sotto_question* const* questions; /* those that this firmware answers */
  size_t question_count;
  /* Optional: checks the signature of a manifest or round and returns false to refuse it as SOTTO_BAD_SIGNATURE. Called
   * before a study is enrolled, a session opened or a round answered; signature_bytes is 0 for bytes without a
   * signature. Without the hook, manifests and rounds must come from a source that the firmware trusts. */
  void* verify_context;
  bool (*verify)(void* context, const uint8_t* body, size_t body_bytes, const uint8_t* signature,
                 size_t signature_bytes);
  /* Optional: the platform's own ChaCha20-Poly1305 in place of the library's. It must produce the same bytes. If it
   * returns false, the report is refused as SOTTO_SEAL_FAULT. */
  void* aead_context;
  bool (*aead_seal)(void* context, const sotto_aead_text* text);
  /* Optional: refuses rounds that have not opened or have closed; see sotto_clock. */
  const sotto_clock* clock;
  /* True if others can measure how long a call takes: randomizers whose duration depends on private values, those with
   * Gaussian noise, are refused. How long the answer itself takes depends on how many rows a device holds, and on whether
   * it holds any number. */
  bool time_observed;
} sotto_hooks;

/* -- Ledger -------------------------------------------------------------------------------------------------------- */

/* A privacy loss: epsilon in units of 10^-9 nats, delta in units of 2^-64. */
typedef struct {
  uint64_t epsilon;
  uint64_t delta;
} sotto_charge;

/* The caps: what the device may spend at most on one study, and on all studies together in its whole life. There is no
 * default, and zeros refuse everything. Losses add up; sums saturate. */
typedef struct {
  sotto_charge per_study;
  sotto_charge total;
} sotto_policy;

/* The identity of one device in one study, issued by the command `sotto enrol`. */
typedef struct {
  uint64_t pseudonym; /* not 0 */
  uint8_t key[32];    /* reports are sealed with it */
} sotto_credential;

/* The memory that a ledger needs for a number of studies, each with room for a report of that size
 * (SOTTO_VOTE_REPORT_BYTES for sealed votes, otherwise what sotto_report_bytes() says). A removed study keeps 32 bytes
 * of it. The caller places the memory, as uint64_t; it holds keys while the ledger is open. */
#define SOTTO_LEDGER_MEMORY_BYTES(studies, report_bytes) (128 + (studies) * ((94 + (report_bytes) + 31) / 32 * 32))
typedef struct {
  uint64_t* words;
  uint32_t bytes;        /* SOTTO_LEDGER_MEMORY_BYTES(); at every opening enough for what the flash holds */
  uint32_t report_bytes; /* 1 to 1024; read by sotto_ledger_create() alone, which records it in the flash */
} sotto_ledger_memory;

#if UINTPTR_MAX > 0xffffffffu
#define SOTTO_LEDGER_BYTES 128
#define SOTTO_SESSION_BYTES 1024
#else
#define SOTTO_LEDGER_BYTES 96
#define SOTTO_SESSION_BYTES 768
#endif
/* Opaque objects; the caller places them. Flash, hooks and memory that are passed to them must outlive them. Set an
 * object to zeros before its first use, as static memory is, and never while it is open or a session is open on it: the
 * functions that open it read it to detect a call in progress and to tell old sessions from new ones. (Other initial
 * bytes do no harm, except with odds of 2^-32 a false SOTTO_BUSY or SOTTO_REENTERED.) */
typedef struct {
  uint64_t opaque[SOTTO_LEDGER_BYTES / 8];
} sotto_ledger;
typedef struct {
  uint64_t opaque[SOTTO_SESSION_BYTES / 8];
} sotto_session;

/* The largest report that a study can ask of this device, for report_bytes of a ledger, from its manifest as `sotto
 * study` writes it; a longer one is refused as SOTTO_BAD_REPORT_SIZE. SOTTO_REPORT_BYTES_MAX if the manifest is no
 * manifest. */
size_t sotto_report_bytes(const uint8_t* manifest, size_t manifest_bytes);

#if defined(__GNUC__)
#define SOTTO_NAMED_3(prefix, name, major, minor) __asm__(#prefix #name "_" #major "_" #minor)
#define SOTTO_NAMED_2(prefix, name, major, minor) SOTTO_NAMED_3(prefix, name, major, minor)
#define SOTTO_NAMED_BY_VERSION(name) \
  SOTTO_NAMED_2(__USER_LABEL_PREFIX__, name, SOTTO_VERSION_MAJOR, SOTTO_VERSION_MINOR)
#else
#define SOTTO_NAMED_BY_VERSION(name)
#endif

/* Opens the ledger that is in the flash, and completes what a power cut interrupted. SOTTO_SHORT_BUFFER: the memory is
 * smaller than what the flash holds. `hooks` may be NULL. Sessions that were opened before are stale afterwards. */
SOTTO_MUST_CHECK sotto_status sotto_ledger_open(sotto_ledger* ledger, const sotto_ledger_memory* memory,
                                                const sotto_flash* flash, const sotto_ledger_hooks* hooks)
    SOTTO_NAMED_BY_VERSION(sotto_ledger_open);
/* Writes the first ledger into blank flash and opens it, with consent off. Draws the device's secret from the entropy
 * hook. Call it only after sotto_ledger_open() returned SOTTO_NO_LEDGER; any other refusal of opening needs a person's
 * decision. The memory's words, the flash and the hooks must outlive the ledger. `hooks` may be NULL. */
SOTTO_MUST_CHECK sotto_status sotto_ledger_create(sotto_ledger* ledger, const sotto_ledger_memory* memory,
                                                  const sotto_flash* flash, const sotto_ledger_hooks* hooks,
                                                  const sotto_policy* policy, const sotto_entropy* entropy);
/* Closes the ledger and wipes its memory; the flash is unchanged. Call it before the memory is used for something else
 * or the ledger is opened again. */
void sotto_ledger_close(sotto_ledger* ledger);
/* Records the owner's decision in the flash. Call it when the owner decides, not at every boot, which would undo a
 * withdrawal. Turning consent off erases the stored reports; what was spent stays recorded. */
SOTTO_MUST_CHECK sotto_status sotto_ledger_set_consent(sotto_ledger* ledger, bool on);
/* Replaces the caps by higher or lower ones. What was spent stays recorded. */
SOTTO_MUST_CHECK sotto_status sotto_ledger_set_policy(sotto_ledger* ledger, const sotto_policy* policy);
/* What all studies have spent, including removed ones; zeros if the ledger is not open, or if one of its hooks asks. */
sotto_charge sotto_ledger_spent(const sotto_ledger* ledger);
/* Whether consent is on; false if the ledger is not open, or if one of its hooks asks. */
bool sotto_ledger_consent(const sotto_ledger* ledger);

/* Enrols a study with the credential that was issued to this device. The verify hook is asked first: if it rejects the
 * manifest, the result is SOTTO_BAD_SIGNATURE and nothing is enrolled. */
SOTTO_MUST_CHECK sotto_status sotto_enrol(sotto_ledger* ledger, const uint8_t* manifest, size_t manifest_bytes,
                                          const sotto_credential* credential, const sotto_hooks* hooks);
/* Enrols a study that needs no credential, under a random pseudonym. Its reports are not sealed. Such a study is easier
 * to manipulate, and its results carry a warning. */
SOTTO_MUST_CHECK sotto_status sotto_enrol_plain(sotto_ledger* ledger, const uint8_t* manifest, size_t manifest_bytes,
                                                const sotto_hooks* hooks);
/* Removes a study: its key and stored report are erased. What it spent stays recorded, and it cannot be enrolled again,
 * because that would allow second answers to its rounds. Needs no consent. */
SOTTO_MUST_CHECK sotto_status sotto_ledger_remove(sotto_ledger* ledger, const uint8_t* manifest, size_t manifest_bytes);

/* -- Session ------------------------------------------------------------------------------------------------------- */

/* Opens a session for one enrolled study. Close the session that the memory held before. Manifest, ledger and hooks
 * must outlive the session. After the ledger is opened or created again, every call but sotto_session_close() is
 * refused as SOTTO_STALE_SESSION, until the session is opened again. */
SOTTO_MUST_CHECK sotto_status sotto_session_open(sotto_session* session, const uint8_t* manifest, size_t manifest_bytes,
                                                 sotto_ledger* ledger, const sotto_hooks* hooks);
/* Closes the session and wipes its secrets: the local answer, the random bits and their key. Call it before its memory
 * is used for something else. */
void sotto_session_close(sotto_session* session);

/* The bytes of work space that a round needs, at any address, and 0 rows or many; `mapped` says whether the rows are in
 * memory rather than behind a read hook. Draws and charges nothing, and forgets an answer that was prepared. Refuses
 * what sotto_prepare() refuses for the round itself. */
SOTTO_MUST_CHECK sotto_status sotto_work_bytes(sotto_session* session, const uint8_t* round, size_t round_bytes,
                                               bool mapped, size_t* work_bytes);
/* The first half of an answer: checks round, caps, consent, work space and entropy, then reads the samples and computes
 * the local answer into the work space. Every refusal is decided before the first sample is read, and charges nothing.
 * The bytes of the round and the work space must stay unchanged until sotto_send(). The work space must not overlap
 * round, manifest, session or ledger: else SOTTO_OVERLAPPING_BUFFERS. Nor may it overlap mapped rows, which it would
 * overwrite and wipe: that is not checked. It may be at any address; one that is shorter than sotto_work_bytes() says is
 * refused as SOTTO_SHORT_BUFFER. */
SOTTO_MUST_CHECK sotto_status sotto_prepare(sotto_session* session, const uint8_t* round, size_t round_bytes,
                                            const sotto_local* local, void* work, size_t work_bytes);
/* The second half: records the charge in the flash, randomizes the answer, seals the report, stores it in the flash,
 * and writes it to `report`: `*used` bytes, at most SOTTO_REPORT_BYTES_MAX. The firmware sends them as they are.
 * `report` must not overlap the work space or what sotto_prepare() names. If a report was drawn but could not be sealed
 * or stored, the buffer is filled with zeros, and the round is SOTTO_SPENT_UNSENT from then on.
 * Each session that is prepared needs a work space of its own: where another session prepared in memory that begins at
 * the same address, the result is SOTTO_WORK_SPACE_LOST, and nothing is charged. Work spaces that overlap elsewhere are
 * not detected: the report is as private, but it answers with bytes of the other session. */
SOTTO_MUST_CHECK sotto_status sotto_send(sotto_session* session, uint8_t* report, size_t report_bytes, size_t* used);
/* sotto_prepare() and sotto_send() in one call. A report buffer that is too short or overlaps is refused before the
 * first sample is read. */
SOTTO_MUST_CHECK sotto_status sotto_answer(sotto_session* session, const uint8_t* round, size_t round_bytes,
                                           const sotto_local* local, void* work, size_t work_bytes, uint8_t* report,
                                           size_t report_bytes, size_t* used);
/* Tells the ledger that the server has the report of this round, so that its stored copy is no longer needed. */
SOTTO_MUST_CHECK sotto_status sotto_acknowledge(sotto_session* session, uint16_t round_number);
/* When to send the report: a fraction of the round's window in units of 2^-32, pseudorandom for each device and round. A
 * report that is sent then does not show how long the answer took. The window is from opens to closes where the round
 * has times (sotto_round.send_at), otherwise what the study's operator says. 0 if no session is open. */
uint32_t sotto_slot(const sotto_session* session, uint16_t round_number);

/* Where this device stands in a round. */
typedef enum sotto_round_state {
  SOTTO_ROUND_FREE = 0,         /* not answered; sotto_answer() may answer it */
  SOTTO_ROUND_KEPT = 1,         /* answered; the report is in the flash, and sotto_answer() returns it again */
  SOTTO_ROUND_ACKNOWLEDGED = 2, /* answered, and the server has the report */
  SOTTO_ROUND_LOST = 3,         /* charged, and the report was lost (SOTTO_SPENT_UNSENT) */
  SOTTO_ROUND_PASSED = 4,       /* a later round was answered; of an older one the ledger keeps no more */
  SOTTO_ROUND_OVER = 5          /* the device has given all answers that the study asks of it */
} sotto_round_state;

/* What a round asks, and of whom. Nothing in it is private. */
typedef struct {
  uint64_t opens, closes;  /* seconds since 1970; both 0 if the round has no times */
  uint64_t send_at;        /* this device's time in that window, by sotto_slot(); 0 if the round has no times */
  uint16_t number;         /* for sotto_acknowledge() and sotto_slot() */
  uint8_t question;        /* 1 vote, 2 bin, 3 block, 4 moments, 5 value, 6 direction, 7 label, 8 sketch, 9 synopsis,
                               10 update, 11 number, 12 top */
  uint8_t cohort;          /* the cohort that is asked; 255: all */
  uint8_t state;           /* a sotto_round_state */
  bool is_for_this_device; /* whether this device belongs to that cohort */
} sotto_round;
/* Reads a round without answering it: no sample, no entropy, no signature is looked at, and nothing is written. Refuses
 * what is no round of this study. */
SOTTO_MUST_CHECK sotto_status sotto_round_info(const sotto_session* session, const uint8_t* round, size_t round_bytes,
                                               sotto_round* info);

/* Converts a sensor reading of feature j, or of the target for j = features, to Q15 by the manifest's scale:
 * (reading * multiplier + offset) / 2^shift, rounded to nearest, saturating to [-32768, 32767]. In a study whose
 * devices use their own units it only saturates, to [-32767, 32767]: for a sensor whose readings go beyond that, use
 * the functions below. Returns 0 for a larger j and if no session is open. */
int16_t sotto_reading(const sotto_session* session, uint32_t j, int32_t reading);

/* Readings of 32 bits, for studies whose devices use their own units. The range of a column's readings on this device
 * maps them to 16 bits. An offset and a scale of a column change no report in such a study, so the range stays private,
 * and the study says nothing about it.
 *
 *   sotto_range range = SOTTO_EMPTY_RANGE;      one for each column, the target's included
 *   sotto_range_add(&range, reading);           for every reading of the column that is held
 *   out[k] = sotto_range_place(&range, reading) in the read hook of sotto_samples, or while a table is filled
 *
 * All rows of one answer use the same range. Where a column lies in memory, sotto_place_column() does all of it. */
typedef struct {
  int32_t low, high;
} sotto_range;
/* clang-format off */
#define SOTTO_EMPTY_RANGE {INT32_MAX, INT32_MIN}
/* clang-format on */
/* There is no reading: of 32 bits, and in a row of 16 bits. It counts as the column's mean. */
#define SOTTO_NO_WIDE_READING INT32_MIN
#define SOTTO_NO_READING INT16_MIN

void sotto_range_add(sotto_range* range, int32_t reading);
/* -32767 for the lowest reading of the range to 32767 for its highest, rounded to nearest; what is beyond saturates.
 * 0 if the range has no width. */
int16_t sotto_range_place(const sotto_range* range, int32_t reading);
/* Reads `rows` readings, `stride` numbers apart, and writes as many, `out_stride` apart. `out` must not overlap. */
void sotto_place_column(const int32_t* readings, size_t stride, uint32_t rows, int16_t* out, size_t out_stride);

/* -- Self-test ----------------------------------------------------------------------------------------------------- */

/* A test for a shell or a production line. It compares ChaCha20, SHA-256, Poly1305 and a vote with known answers, reads
 * two seeds from the entropy hook and checks their health, and, if a spare flash is given, creates a ledger in it,
 * charges it, reopens it and erases the flash. The spare flash must hold no ledger: SOTTO_LEDGER_EXISTS otherwise.
 * SOTTO_SELF_TEST_FAILED: a known answer came out wrong. Any other refusal is that of the part that failed. */
SOTTO_MUST_CHECK sotto_status sotto_self_test(const sotto_entropy* entropy,
                                              const sotto_flash* spare_flash /* or NULL */);

/* -- Signatures ---------------------------------------------------------------------------------------------------- */

/* Verifies an Ed25519 signature (RFC 8032); for firmware that has no cryptographic library with Ed25519. Set
 * sotto_hooks.verify to it and verify_context to the 32 bytes of the issuer's public key (`sotto keygen`), which are
 * not written: manifests and rounds without a valid signature are then refused as SOTTO_BAD_SIGNATURE. It is linked
 * only if it is named. Hooks for libsodium, Monocypher and PSA Crypto are in device/ports/crypto. */
#define SOTTO_PUBLIC_KEY_BYTES 32
#define SOTTO_ED25519_SIGNATURE_BYTES 64
bool sotto_ed25519_verify(void* public_key, const uint8_t* body, size_t body_bytes, const uint8_t* signature,
                          size_t signature_bytes);

#ifdef __cplusplus
}
#endif

#endif
