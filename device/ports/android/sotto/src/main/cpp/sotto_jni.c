/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */

/* The native half of Ledger.java and Session.java. A handle is the address of a struct below; Java keeps calls on one ledger apart. */
#include <errno.h>
#include <jni.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sotto_posix.h"

enum { STUDIES = 14, FILE_FAULT = -1 };

typedef struct {
  sotto_posix_flash file;
  sotto_flash flash;
  sotto_ledger ledger;
  sotto_ledger_memory memory;
  uint64_t words[SOTTO_LEDGER_MEMORY_BYTES(STUDIES, SOTTO_REPORT_BYTES_MAX) / 8];
  const sotto_question* questions[12];
  sotto_hooks hooks;
  uint8_t issuer[SOTTO_PUBLIC_KEY_BYTES];
  sotto_credential credential; /* while a study is joined; here, because this memory is not swapped or dumped */
} Device;

typedef struct {
  sotto_session session;
  Device* device;
  size_t manifest_bytes;
  uint8_t manifest[];
} Study;

/* A handle is a pointer that Java keeps for us. */
static void* of_handle(jlong handle) { return (void*)(intptr_t)handle; /* NOLINT(performance-no-int-to-ptr) */ }

static void throw_status(JNIEnv* env, int status, const char* name, const char* what) {
  const jclass type = (*env)->FindClass(env, "org/sotto/device/SottoException");
  jmethodID make;
  jobject made;
  if (type == NULL) return;
  make = (*env)->GetMethodID(env, type, "<init>", "(ILjava/lang/String;Ljava/lang/String;)V");
  if (make == NULL) return;
  made = (*env)->NewObject(env, type, make, (jint)status, (*env)->NewStringUTF(env, name),
                           (*env)->NewStringUTF(env, what));
  if (made != NULL) (*env)->Throw(env, (jthrowable)made);
}

static void refused(JNIEnv* env, sotto_status status, const char* what) {
  throw_status(env, status, sotto_status_text(status), what);
}

static void out_of_memory(JNIEnv* env) {
  const jclass type = (*env)->FindClass(env, "java/lang/OutOfMemoryError");
  if (type != NULL) (*env)->ThrowNew(env, type, "sotto");
}

/* A copy of a Java array in fresh memory; NULL with an exception, or for an empty array. */
static uint8_t* bytes_of(JNIEnv* env, jbyteArray array, size_t* size) {
  const jsize length = (*env)->GetArrayLength(env, array);
  uint8_t* const copy = malloc((size_t)length + 1);
  if (copy == NULL) {
    out_of_memory(env);
    return NULL;
  }
  (*env)->GetByteArrayRegion(env, array, 0, length, (jbyte*)copy);
  *size = (size_t)length;
  return copy;
}

static void discard(Device* device) {
  sotto_ledger_close(&device->ledger);
  sotto_posix_flash_close(&device->file);
  sotto_posix_secret_free(device, sizeof *device);
}

JNIEXPORT jlong JNICALL Java_org_sotto_device_Ledger_nativeOpen(JNIEnv* env, jclass type, jstring path,
                                                                jlong study_epsilon, jlong study_delta,
                                                                jlong total_epsilon, jlong total_delta,
                                                                jbyteArray issuer) {
  const sotto_policy policy = {{(uint64_t)study_epsilon, (uint64_t)study_delta},
                               {(uint64_t)total_epsilon, (uint64_t)total_delta}};
  const sotto_question* const questions[] = {
      sotto_vote(),      sotto_bin_cells(),    sotto_block(),  sotto_moments_fourier(),
      sotto_value(),     sotto_label_noisy(),  sotto_sketch(), sotto_synopsis(),
      sotto_direction(), sotto_update_noisy(), sotto_number(), sotto_top()};
  Device* const device = sotto_posix_secret_memory(sizeof *device);
  const char* name;
  bool opened;
  sotto_status status;
  (void)type;
  if (device == NULL) {
    out_of_memory(env);
    return 0;
  }
  name = (*env)->GetStringUTFChars(env, path, NULL);
  if (name == NULL) {
    sotto_posix_secret_free(device, sizeof *device);
    return 0;
  }
  opened = sotto_posix_flash_open(&device->file, name, &device->flash);
  if (!opened) throw_status(env, FILE_FAULT, strerror(errno), name);
  (*env)->ReleaseStringUTFChars(env, path, name);
  if (!opened) {
    sotto_posix_secret_free(device, sizeof *device);
    return 0;
  }
  memcpy(device->questions, questions, sizeof questions);
  device->hooks.entropy = sotto_posix_entropy();
  device->hooks.questions = device->questions;
  device->hooks.question_count = sizeof questions / sizeof questions[0];
  device->hooks.clock = sotto_posix_clock();
  if (issuer != NULL) { /* Java has counted its bytes */
    (*env)->GetByteArrayRegion(env, issuer, 0, sizeof device->issuer, (jbyte*)device->issuer);
    device->hooks.verify_context = device->issuer;
    device->hooks.verify = sotto_ed25519_verify;
  }
  device->memory.words = device->words;
  device->memory.bytes = sizeof device->words;
  device->memory.report_bytes = SOTTO_REPORT_BYTES_MAX;
  status = sotto_ledger_open(&device->ledger, &device->memory, &device->flash, NULL);
  if (status == SOTTO_NO_LEDGER) /* the first start, and no other refusal */
    status =
        sotto_ledger_create(&device->ledger, &device->memory, &device->flash, NULL, &policy, &device->hooks.entropy);
  if (status != SOTTO_OK) {
    refused(env, status, "the ledger");
    discard(device);
    return 0;
  }
  return (jlong)(intptr_t)device;
}

JNIEXPORT jboolean JNICALL Java_org_sotto_device_Ledger_nativeConsent(JNIEnv* env, jclass type, jlong handle) {
  const Device* const device = of_handle(handle);
  (void)env, (void)type;
  return sotto_ledger_consent(&device->ledger) ? JNI_TRUE : JNI_FALSE;
}

JNIEXPORT void JNICALL Java_org_sotto_device_Ledger_nativeSetConsent(JNIEnv* env, jclass type, jlong handle,
                                                                     jboolean on) {
  Device* const device = of_handle(handle);
  const sotto_status status = sotto_ledger_set_consent(&device->ledger, on != JNI_FALSE);
  (void)type;
  if (status != SOTTO_OK) refused(env, status, "consent");
}

JNIEXPORT jlong JNICALL Java_org_sotto_device_Ledger_nativeSpentEpsilon(JNIEnv* env, jclass type, jlong handle) {
  const Device* const device = of_handle(handle);
  (void)env, (void)type;
  return (jlong)sotto_ledger_spent(&device->ledger).epsilon;
}

JNIEXPORT void JNICALL Java_org_sotto_device_Ledger_nativeEnrol(JNIEnv* env, jclass type, jlong handle,
                                                                jbyteArray manifest, jlong pseudonym, jbyteArray key) {
  Device* const device = of_handle(handle);
  sotto_credential* const credential = &device->credential;
  sotto_status status;
  size_t size = 0;
  uint8_t* const bytes = bytes_of(env, manifest, &size);
  (void)type;
  if (bytes == NULL) return;
  if (key == NULL) {
    status = sotto_enrol_plain(&device->ledger, bytes, size, &device->hooks);
  } else {
    credential->pseudonym = (uint64_t)pseudonym;
    (*env)->GetByteArrayRegion(env, key, 0, sizeof credential->key, (jbyte*)credential->key);
    status = sotto_enrol(&device->ledger, bytes, size, credential, &device->hooks);
    memset(credential, 0, sizeof *credential);
  }
  free(bytes);
  if (status != SOTTO_OK && status != SOTTO_STUDY_EXISTS) refused(env, status, "enrolment");
}

JNIEXPORT void JNICALL Java_org_sotto_device_Ledger_nativeRemove(JNIEnv* env, jclass type, jlong handle,
                                                                 jbyteArray manifest) {
  Device* const device = of_handle(handle);
  size_t size = 0;
  uint8_t* const bytes = bytes_of(env, manifest, &size);
  sotto_status status;
  (void)type;
  if (bytes == NULL) return;
  status = sotto_ledger_remove(&device->ledger, bytes, size);
  free(bytes);
  if (status != SOTTO_OK) refused(env, status, "removal");
}

JNIEXPORT jlong JNICALL Java_org_sotto_device_Ledger_nativeSessionOpen(JNIEnv* env, jclass type, jlong handle,
                                                                       jbyteArray manifest) {
  Device* const device = of_handle(handle);
  const jsize size = (*env)->GetArrayLength(env, manifest);
  Study* const study = sotto_posix_secret_memory(sizeof *study + (size_t)size);
  sotto_status status;
  (void)type;
  if (study == NULL) {
    out_of_memory(env);
    return 0;
  }
  study->device = device;
  study->manifest_bytes = (size_t)size;
  (*env)->GetByteArrayRegion(env, manifest, 0, size, (jbyte*)study->manifest);
  status = sotto_session_open(&study->session, study->manifest, study->manifest_bytes, &device->ledger, &device->hooks);
  if (status != SOTTO_OK) {
    sotto_posix_secret_free(study, sizeof *study + (size_t)size);
    refused(env, status, "the study");
    return 0;
  }
  return (jlong)(intptr_t)study;
}

JNIEXPORT void JNICALL Java_org_sotto_device_Ledger_nativeClose(JNIEnv* env, jclass type, jlong handle) {
  (void)env, (void)type;
  discard(of_handle(handle));
}

JNIEXPORT void JNICALL Java_org_sotto_device_Ledger_nativeSelfTest(JNIEnv* env, jclass type) {
  const sotto_entropy entropy = sotto_posix_entropy();
  const sotto_status status = sotto_self_test(&entropy, NULL);
  (void)type;
  if (status != SOTTO_OK) refused(env, status, "self-test");
}

JNIEXPORT jbyteArray JNICALL Java_org_sotto_device_Session_nativeAnswer(JNIEnv* env, jclass type, jlong handle,
                                                                        jbyteArray round, jint features,
                                                                        jshortArray values, jint given) {
  Study* const study = of_handle(handle);
  const jsize held = (*env)->GetArrayLength(env, values);
  const size_t row_bytes = (size_t)held * sizeof(int16_t) + 1;
  uint8_t report[SOTTO_REPORT_BYTES_MAX];
  sotto_local local = {.given = sotto_choose((uint32_t)given)};
  sotto_status status;
  jbyteArray out = NULL;
  size_t size = 0, used = 0, room = 0;
  uint8_t* const bytes = bytes_of(env, round, &size);
  int16_t* const rows = sotto_posix_secret_memory(row_bytes);
  (void)type;
  if (bytes == NULL || rows == NULL) {
    if (rows == NULL) out_of_memory(env);
    sotto_posix_secret_free(rows, row_bytes);
    free(bytes);
    return NULL;
  }
  (*env)->GetShortArrayRegion(env, values, 0, held, rows);
  local.samples.rows = (uint32_t)held / ((uint32_t)features + 1);
  local.samples.features = (uint32_t)features;
  local.samples.stride = (uint32_t)features + 1;
  local.samples.mapped = rows;
  status = sotto_work_bytes(&study->session, bytes, size, true, &room);
  if (status == SOTTO_OK) {
    void* const work = sotto_posix_secret_memory(room);
    if (work == NULL) {
      out_of_memory(env);
    } else {
      status = sotto_answer(&study->session, bytes, size, &local, work, room, report, sizeof report, &used);
      sotto_posix_secret_free(work, room);
    }
  }
  sotto_posix_secret_free(rows, row_bytes);
  free(bytes);
  if (status != SOTTO_OK) refused(env, status, "the round");
  if ((*env)->ExceptionCheck(env)) return NULL;
  out = (*env)->NewByteArray(env, (jsize)used);
  if (out != NULL) (*env)->SetByteArrayRegion(env, out, 0, (jsize)used, (const jbyte*)report);
  return out;
}

JNIEXPORT void JNICALL Java_org_sotto_device_Session_nativeAcknowledge(JNIEnv* env, jclass type, jlong handle,
                                                                       jint number) {
  Study* const study = of_handle(handle);
  const sotto_status status = sotto_acknowledge(&study->session, (uint16_t)number);
  (void)type;
  if (status != SOTTO_OK) refused(env, status, "acknowledgement");
}

JNIEXPORT jint JNICALL Java_org_sotto_device_Session_nativeSlot(JNIEnv* env, jclass type, jlong handle, jint number) {
  const Study* const study = of_handle(handle);
  (void)env, (void)type;
  return (jint)sotto_slot(&study->session, (uint16_t)number);
}

JNIEXPORT jshort JNICALL Java_org_sotto_device_Session_nativeReading(JNIEnv* env, jclass type, jlong handle,
                                                                     jint feature, jint reading) {
  const Study* const study = of_handle(handle);
  (void)env, (void)type;
  return sotto_reading(&study->session, (uint32_t)feature, reading);
}

JNIEXPORT void JNICALL Java_org_sotto_device_Session_nativeClose(JNIEnv* env, jclass type, jlong handle) {
  Study* const study = of_handle(handle);
  (void)env, (void)type;
  sotto_session_close(&study->session);
  sotto_posix_secret_free(study, sizeof *study + study->manifest_bytes);
}
