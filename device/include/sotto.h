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
 *   uint64_t words[SOTTO_LEDGER_MEMORY_BYTES(1, 34) / 8]; memory of a ledger for one study with reports of 34 bytes
 *
 *   sotto_ledger_create(...)                              once in the life of a device
 *   sotto_ledger_open(...)                                at every boot
 *   sotto_ledger_set_consent(&ledger, true)               when the owner agrees; the decision survives reboots
 *   sotto_enrol(...)                                      once for each study
 *   sotto_session_open(...)                               before rounds of a study are answered
 *   sotto_answer(...)                                     for each round; then send report[0] to report[used - 1]
 *   sotto_acknowledge(...)                                when the server has confirmed that the report arrived
 *
 * Every function that can refuse returns a sotto_status. A refusal never depends on private data: a device with few,
 * many or no samples answers alike. After a reboot call sotto_answer() with the same round again: it returns the bytes
 * that were stored before, or refuses.
 *
 * A session belongs to one thread. The lock hook protects the ledger alone, so that several threads may use it; answer
 * one round at a time for each ledger even so, because another answer between the charge and the store of a report makes
 * that report spent and unsent. A hook must not call the library: the session that called the hook refuses with
 * SOTTO_REENTERED, a ledger during its own hooks and the entropy hook with SOTTO_BUSY. Unless stated otherwise, pointers
 * must not be NULL, and a refused call leaves its outputs unchanged.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sotto/work_bytes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The result of a call: SOTTO_OK, or the reason why it was refused. The numbers are stable across versions. */
typedef uint8_t sotto_status;
enum {
  SOTTO_OK = 0,                    /* done */
  SOTTO_BAD_DIMENSION = 1,         /* a dimension, number of categories or of features is outside its range */
  SOTTO_BAD_CHANNEL = 2,           /* another parameter of the randomizer is outside its range */
  SOTTO_BAD_EPSILON = 3,           /* epsilon is 0, above 12 nats, or too small for the randomizer's integers */
  SOTTO_OVER_CAP = 4,              /* epsilon is above the cap of this firmware */
  SOTTO_OVERSPENT = 5,             /* the randomizer's parameters would spend more than the stated epsilon */
  SOTTO_UNCERTIFIED_POINT = 6,     /* (epsilon, delta) is not in the table of certified Gaussian points */
  SOTTO_UNCERTIFIED = 7,           /* a randomizer was called with parameters that were not checked */
  SOTTO_ENTROPY_NOT_READY = 8,     /* the entropy hook is missing or reports that it is not ready */
  SOTTO_ENTROPY_FAULT = 9,         /* the entropy hook failed, or its bytes failed the health test */
  SOTTO_SHORT_BUFFER = 10,         /* a buffer of the caller is too small */
  SOTTO_BAD_MAGIC = 11,            /* the bytes are not a manifest, or not a round */
  SOTTO_UNSUPPORTED_VERSION = 12,  /* the format version is unknown to this library */
  SOTTO_TRUNCATED = 13,            /* bytes are missing at the end of a manifest or round */
  SOTTO_TRAILING_BYTES = 14,       /* a manifest or round is followed by bytes that are not a signature */
  SOTTO_BAD_FIELD = 15,            /* a field of a manifest or round is outside its range */
  SOTTO_TOO_LARGE = 16,            /* a manifest above 64 KiB, or a round above 1 KiB */
  SOTTO_FOREIGN_STUDY = 17,        /* the round belongs to another manifest */
  SOTTO_UNSUPPORTED_QUESTION = 18, /* the firmware does not list the question, or the manifest does not allow it */
  SOTTO_NOT_IN_COHORT = 19,        /* the round asks a cohort to which this device does not belong */
  SOTTO_BAD_SIGNATURE = 20,        /* the verify hook rejected the manifest or the round */
  SOTTO_NOT_PREPARED = 21,         /* no session is open, or sotto_prepare() has not succeeded */
  SOTTO_TIME_OBSERVED = 22,        /* the duration would depend on private values, and hooks.time_observed is set */
  SOTTO_OVER_ANSWERS = 23,         /* the device has given as many answers as the manifest allows */
  SOTTO_NEEDS_CREDENTIAL = 24,     /* the study needs sealed reports, and there is no credential */
  SOTTO_SELF_TEST_FAILED = 30,     /* a known answer came out wrong: do not use this build on this device */
  SOTTO_SEAL_FAULT = 31,           /* the AEAD hook or the image key hook failed: nothing may be sent */
  SOTTO_NO_LEDGER = 32,            /* the flash is blank, or the ledger is not open */
  SOTTO_LEDGER_EXISTS = 33,        /* sotto_ledger_create() found a ledger, which it never overwrites */
  SOTTO_LEDGER_CORRUPT = 34,       /* the flash holds what no power cut can leave behind */
  SOTTO_LEDGER_FOREIGN = 35,       /* written for another flash geometry, format version or use of the image key */
  SOTTO_LEDGER_FULL = 36,          /* no room for this study in the memory or in a flash sector */
  SOTTO_FLASH_GEOMETRY = 37,       /* the flash hooks are missing, or describe a flash that the ledger cannot use */
  SOTTO_FLASH_FAULT = 38,          /* a flash hook failed: open the ledger again */
  SOTTO_COUNTER_FAULT = 39,        /* the counter hook failed: open the ledger again */
  SOTTO_ROLLED_BACK = 40,          /* the counter is ahead of the ledger: the flash holds an older copy */
  SOTTO_BUSY = 41,                 /* another call is in progress, or the lock hook returned false */
  SOTTO_CONSENT_OFF = 42,          /* the owner's consent is off */
  SOTTO_UNKNOWN_STUDY = 43,        /* the study is not enrolled */
  SOTTO_STUDY_EXISTS = 44,         /* the study is enrolled already; its credential is kept */
  SOTTO_OVER_STUDY_CAP = 45,       /* the study would spend more than policy.per_study */
  SOTTO_OVER_TOTAL_CAP = 46,       /* the device would spend more than policy.total */
  SOTTO_ALREADY_ANSWERED = 47,     /* this round or a later one was answered */
  SOTTO_SPENT_UNSENT = 48,         /* the round was charged and its report was lost; it is not drawn a second time */
  SOTTO_NOT_ANSWERED = 49,         /* this round was not answered yet */
  SOTTO_BAD_REPORT_SIZE = 50, /* the report does not fit the ledger's report_bytes, or report_bytes is not 1 to 1024 */
  SOTTO_STALE_SESSION = 51,   /* the ledger was opened or created since: open the session again */
  SOTTO_STUDY_REMOVED = 52,   /* the study was removed and cannot be enrolled again */
  SOTTO_LEDGER_IN_USE = 53,   /* another object wrote this flash, or its contents decay: open the ledger again */
  SOTTO_OVERLAPPING_BUFFERS = 54, /* a buffer overlaps the work space, round, manifest, session or ledger */
  SOTTO_LEDGER_WORN = 55,         /* the ledger's sequence number is exhausted: nothing more is written */
  SOTTO_REENTERED = 56,           /* a hook called back into the session that called it */
  SOTTO_WORK_SPACE_LOST = 57 /* another session prepared in this work space since: prepare again; nothing was charged */
};

/* The name of a status for a log, for example "over_total_cap"; "unknown" for any other number. The text is linked only
 * into a firmware that calls this. */
const char* sotto_status_text(sotto_status status);

/* The version of the library as major * 10000 + minor * 100 + patch; the format version of manifests, rounds and
 * reports; the format version of the ledger in flash. */
uint32_t sotto_version(void);
uint32_t sotto_wire_version(void);
uint32_t sotto_ledger_version(void);

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
 * ledger then writes nothing more and closes, and sotto_ledger_open() reads what is really in the flash. */
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

/* Optional protections of the ledger; each may be NULL. */
typedef struct {
  const sotto_lock* lock;
  const sotto_counter* counter;
  const sotto_image_key* key;
} sotto_ledger_hooks;

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

/* Integers of the firmware's own, for sotto_number(): the round says by a public rule what is made of them, the last
 * one, their mean, the largest, or how many there are. */
typedef struct {
  uint32_t count; /* private; readings beyond the study's nominal number of rows are left out */
  void* context;
  /* Reading number i, from 0; SOTTO_NO_NUMBER where there is none. */
  int32_t (*read)(void* context, uint32_t i);
} sotto_numbers;
#define SOTTO_NO_NUMBER INT32_MIN

/* What an answer is computed from. All of it is private. */
typedef struct {
  sotto_samples samples;
  /* For a vote whose round leaves the choice to the firmware: the number of the feature to vote for, or
   * SOTTO_NOTHING_TO_SAY. For a number without numbers.read: the integer itself, (uint32_t)reading, or
   * (uint32_t)SOTTO_NO_NUMBER. Other rounds ignore it. */
  uint32_t given;
  sotto_numbers numbers; /* for a number; all 0 if `given` is the number */
  /* For sotto_top(): the item of this device, an id of up to 8 bytes (little-endian) or a string without its ending 0,
   * and its length. What is longer than the study's length is cut there; no item, or one of zeros, is an item like any
   * other. The bytes are read during the call alone. */
  uint32_t item_bytes;
  const uint8_t* item;
} sotto_local;
#define SOTTO_NOTHING_TO_SAY UINT32_C(0xffffffff)

/* A kind of question. List in sotto_hooks those that the firmware answers; the linker drops the code of the others.
 * Each is described by what the device computes from its samples; the report is that answer after randomization. */
typedef struct sotto_question sotto_question;

/* Vote: which one feature matters on this device, or none. Three functions for one question, from small to large: list
 * one. They differ in the methods of selection that a round may ask for; a method that is not linked is refused as
 * SOTTO_UNSUPPORTED_QUESTION. */
const sotto_question* sotto_vote_given(void);  /* sotto_local.given, the firmware's own choice */
const sotto_question* sotto_vote_screen(void); /* that, the feature most correlated with the target, the largest mean */
const sotto_question* sotto_vote(void);        /* all of that, and selection by Lasso or SCAD */

/* Bin: in which of c equal bins one coordinate of a local vector lies (coefficients, gradient, means or scores, after a
 * public rotation of the vector). The second function also answers for cells: in which cell of a grid the features of
 * one record lie, with the sign of its target. List one of the two. */
const sotto_question* sotto_bin(void);
const sotto_question* sotto_bin_cells(void);

/* Block: the signs of several features of one record, which must be -1 or +1, times the sign of its residual. */
const sotto_question* sotto_block(void);

/* Moments: the products of one record's features with each other and with its target. The second function also answers
 * for random Fourier features in place of the features. List one of the two. */
const sotto_question* sotto_moments(void);
const sotto_question* sotto_moments_fourier(void);

/* Value: one coordinate of a local vector, as for bin, clipped to a public range. */
const sotto_question* sotto_value(void);

/* Direction: a local vector (coefficients, gradient, means or scores), clipped to a ball of public radius. */
const sotto_question* sotto_direction(void);

/* Label: the target of one record, clipped to a public bound. */
const sotto_question* sotto_label(void);

/* Number: one integer of the firmware's own, sotto_local.given or sotto_local.numbers, clipped to a public range: for
 * means, histograms, quantiles, counts and events. A device without a reading answers as the study says. */
const sotto_question* sotto_number(void);

/* Update: the change of a broadcast model after some gradient steps on the local rows, clipped to a ball. */
const sotto_question* sotto_update(void);

/* Questions with additive discrete Gaussian noise, which are (epsilon, delta)-private. The duration of the noise
 * sampler varies, so their rounds are refused as SOTTO_TIME_OBSERVED if sotto_hooks.time_observed is set; and as
 * SOTTO_OVER_STUDY_CAP or SOTTO_OVER_TOTAL_CAP unless the policy allows a delta above 0. The first two answer all that
 * sotto_label() and sotto_update() answer and take their place in the list. */
const sotto_question* sotto_label_noisy(void);
const sotto_question* sotto_update_noisy(void);
/* Sketch: a random projection or random Fourier features of one record, and its target. */
const sotto_question* sotto_sketch(void);
/* Synopsis: several independently noisy copies of one record's features, and its target. */
const sotto_question* sotto_synopsis(void);

/* Category: which one of a study's categories this device is in, sotto_local.given, or none of them. It is the vote of
 * sotto_vote_given(), by its everyday name. For a cross-tab the category is row * columns + column. */
const sotto_question* sotto_category(void);

/* Top: bits of a public hash of one item, sotto_local.item, for a list of the most common ones. */
const sotto_question* sotto_top(void);

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

/* What a session needs beside the ledger. Entropy and questions are required; the other hooks may be zero. */
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
  /* True if others can measure how long a call takes: questions whose duration depends on private values are
   * refused. */
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

/* The identity of one device in one study, issued by the command `sotto enroll`. */
typedef struct {
  uint64_t pseudonym; /* not 0 */
  uint8_t key[32];    /* reports are sealed with it */
} sotto_credential;

/* The memory that a ledger needs for a number of studies, each with room for a report of that size (34 bytes for a
 * sealed report with a payload of 2 bytes). A removed study keeps 32 bytes of it. The caller places the memory, as
 * uint64_t; it holds keys while the ledger is open. */
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
 * object to zeros before its first use, as static memory is: the functions that open it read it to detect a call in
 * progress and to tell old sessions from new ones. (Other initial bytes do no harm, except with odds of 2^-32 a false
 * SOTTO_BUSY or SOTTO_REENTERED.) */
typedef struct {
  uint64_t opaque[SOTTO_LEDGER_BYTES / 8];
} sotto_ledger;
typedef struct {
  uint64_t opaque[SOTTO_SESSION_BYTES / 8];
} sotto_session;

/* Writes the first ledger into blank flash and opens it, with consent off. Draws the device's secret from the entropy
 * hook. Call it only after sotto_ledger_open() returned SOTTO_NO_LEDGER; any other refusal of opening needs a person's
 * decision. The memory's words, the flash and the hooks must outlive the ledger. `hooks` may be NULL. */
sotto_status sotto_ledger_create(sotto_ledger* ledger, const sotto_ledger_memory* memory, const sotto_flash* flash,
                                 const sotto_ledger_hooks* hooks, const sotto_policy* policy,
                                 const sotto_entropy* entropy);
/* Opens the ledger that is in the flash, and completes what a power cut interrupted. SOTTO_SHORT_BUFFER: the memory is
 * smaller than what the flash holds. `hooks` may be NULL. Sessions that were opened before are stale afterwards. */
sotto_status sotto_ledger_open(sotto_ledger* ledger, const sotto_ledger_memory* memory, const sotto_flash* flash,
                               const sotto_ledger_hooks* hooks);
/* Closes the ledger and wipes its memory; the flash is unchanged. Call it before the memory is used for something else
 * or the ledger is opened again. */
void sotto_ledger_close(sotto_ledger* ledger);
/* Records the owner's decision in the flash. Call it when the owner decides, not at every boot, which would undo a
 * withdrawal. Turning consent off erases the stored reports; what was spent stays recorded. */
sotto_status sotto_ledger_set_consent(sotto_ledger* ledger, bool on);
/* Replaces the caps by higher or lower ones. What was spent stays recorded. */
sotto_status sotto_ledger_set_policy(sotto_ledger* ledger, const sotto_policy* policy);
/* What all studies have spent, including removed ones; zeros if the ledger is not open, or if one of its hooks asks. */
sotto_charge sotto_ledger_spent(const sotto_ledger* ledger);
/* Whether consent is on; false if the ledger is not open, or if one of its hooks asks. */
bool sotto_ledger_consent(const sotto_ledger* ledger);

/* Enrols a study with the credential that was issued to this device. The verify hook is asked first: if it rejects the
 * manifest, the result is SOTTO_BAD_SIGNATURE and nothing is enrolled. */
sotto_status sotto_enrol(sotto_ledger* ledger, const uint8_t* manifest, size_t manifest_bytes,
                         const sotto_credential* credential, const sotto_hooks* hooks);
/* Enrols a study that needs no credential, under a random pseudonym. Its reports are not sealed. Such a study is easier
 * to manipulate, and its results carry a warning. */
sotto_status sotto_enrol_plain(sotto_ledger* ledger, const uint8_t* manifest, size_t manifest_bytes,
                               const sotto_hooks* hooks);
/* Removes a study: its key and stored report are erased. What it spent stays recorded, and it cannot be enrolled again,
 * because that would allow second answers to its rounds. Needs no consent. */
sotto_status sotto_ledger_remove(sotto_ledger* ledger, const uint8_t* manifest, size_t manifest_bytes);

/* -- Session ------------------------------------------------------------------------------------------------------- */

/* Opens a session for one enrolled study. Close the session that the memory held before. Manifest, ledger and hooks
 * must outlive the session. After the ledger is opened or created again, every call but sotto_session_close() is
 * refused as SOTTO_STALE_SESSION, until the session is opened again. */
sotto_status sotto_session_open(sotto_session* session, const uint8_t* manifest, size_t manifest_bytes,
                                sotto_ledger* ledger, const sotto_hooks* hooks);
/* Closes the session and wipes its secrets: the local answer, the random bits and their key. Call it before its memory
 * is used for something else. */
void sotto_session_close(sotto_session* session);

/* The first half of an answer: checks round, caps, consent, work space and entropy, then reads the samples and computes
 * the local answer into the work space. Every refusal is decided before the first sample is read, and charges nothing.
 * The bytes of the round and the work space must stay unchanged until sotto_send(). The work space must not overlap
 * round, manifest, session or ledger: else SOTTO_OVERLAPPING_BUFFERS. Nor may it overlap mapped rows, which it would
 * overwrite and wipe: that is not checked. It may be at any address; one that is too small
 * is refused as SOTTO_SHORT_BUFFER, so a firmware can try sizes at no cost. Sizes for votes are below, the largest
 * parts of the others in sotto/work_bytes.h. */
sotto_status sotto_prepare(sotto_session* session, const uint8_t* round, size_t round_bytes, const sotto_local* local,
                           void* work, size_t work_bytes);
/* The second half: records the charge in the flash, randomizes the answer, seals the report, stores it in the flash,
 * and writes it to `report`: `*used` bytes, at most SOTTO_REPORT_BYTES_MAX. The firmware sends them as they are.
 * `report` must not overlap the work space or what sotto_prepare() names. If a report was drawn but could not be sealed
 * or stored, the buffer is filled with zeros, and the round is SOTTO_SPENT_UNSENT from then on.
 * Each session that is prepared needs a work space of its own: where another session prepared in the same memory, the
 * result is SOTTO_WORK_SPACE_LOST, and nothing is charged. */
sotto_status sotto_send(sotto_session* session, uint8_t* report, size_t report_bytes, size_t* used);
/* sotto_prepare() and sotto_send() in one call. A report buffer that is too short or overlaps is refused before the
 * first sample is read. */
sotto_status sotto_answer(sotto_session* session, const uint8_t* round, size_t round_bytes, const sotto_local* local,
                          void* work, size_t work_bytes, uint8_t* report, size_t report_bytes, size_t* used);
/* Tells the ledger that the server has the report of this round, so that its stored copy is no longer needed. */
sotto_status sotto_acknowledge(sotto_session* session, uint16_t round_number);
/* When to send the report: a fraction of the study's sending window in units of 2^-32, pseudorandom for each device and
 * round. A report that is sent then does not show how long the answer took. 0 if no session is open. */
uint32_t sotto_slot(const sotto_session* session, uint16_t round_number);
#define SOTTO_REPORT_BYTES_MAX 1024

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

/* Bytes of work space that are enough for sotto_vote() and sotto_vote_screen(), and below for sotto_vote_given().
 * `nominal_rows` is the manifest's number of rows, `keep` the number of columns that screening keeps for Lasso or SCAD
 * (1 to 128), `mapped` says whether the rows are in memory rather than behind a read hook. */
size_t sotto_vote_work_bytes(uint32_t nominal_rows, uint32_t keep, bool mapped);
#define SOTTO_VOTE_GIVEN_WORK_BYTES 64

/* -- Self-test ----------------------------------------------------------------------------------------------------- */

/* A test for a shell or a production line. It compares ChaCha20, SHA-256, Poly1305 and a vote with known answers, reads
 * two seeds from the entropy hook and checks their health, and, if a spare flash is given, creates a ledger in it,
 * charges it, reopens it and erases the flash. The spare flash must hold no ledger: SOTTO_LEDGER_EXISTS otherwise.
 * SOTTO_SELF_TEST_FAILED: a known answer came out wrong. Any other refusal is that of the part that failed. */
sotto_status sotto_self_test(const sotto_entropy* entropy, const sotto_flash* spare_flash /* or NULL */);

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
