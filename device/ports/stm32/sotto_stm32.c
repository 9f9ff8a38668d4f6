/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */

/* Hooks for STM32L4 and G4 (HAL). Compiled against a stub header with the signatures of the HAL (tests/ports); not run on a board.
 *
 * Flash: the last two pages of bank 2, reserved in the linker script so that neither code nor an update lands there:
 *     SOTTO (r) : ORIGIN = 0x080FF000, LENGTH = 4K
 * Program unit 8 bytes with ECC: a unit is programmed once per erase (the ledger does so), and a power cut can leave a unit whose ECC
 * fails: reading it raises the NMI. The NMI handler must clear FLASH->ECCR and return, so that the read gives some bytes; the ledger's
 * checksum does the rest. H7 and U5 have units of 32 and 16 bytes and the same rule.
 * Entropy: the RNG peripheral with its clock at 48 MHz or as the reference manual asks; SECS and CECS mean that its own health test
 * failed, and then nothing is delivered. Parts without an RNG (most F0, L0 and F1) need an external source: there is no fallback. */
#include "sotto_stm32.h"

#include "stm32l4xx_hal.h"

#define FIRST_ADDRESS 0x080FF000u
#define FIRST_PAGE 254u
#define SECTOR_BYTES 2048u

extern RNG_HandleTypeDef hrng;

static bool flash_read_hook(void* context, uint32_t address, uint8_t* out, uint32_t bytes) {
  const volatile uint8_t* from = (const volatile uint8_t*)(uintptr_t)(FIRST_ADDRESS + address);
  (void)context;
  while (bytes-- != 0) *out++ = *from++;
  return true;
}
static bool flash_program_hook(void* context, uint32_t address, const uint8_t* data, uint32_t bytes) {
  bool done = HAL_FLASH_Unlock() == HAL_OK;
  uint32_t i;
  (void)context;
  for (i = 0; done && i < bytes; i += 8) {
    uint64_t unit;
    __builtin_memcpy(&unit, data + i, 8);
    done = HAL_FLASH_Program(FLASH_TYPEPROGRAM_DOUBLEWORD, FIRST_ADDRESS + address + i, unit) == HAL_OK;
  }
  (void)HAL_FLASH_Lock();
  return done;
}
static bool flash_erase_hook(void* context, uint32_t sector) {
  FLASH_EraseInitTypeDef erase = {FLASH_TYPEERASE_PAGES, FLASH_BANK_2, FIRST_PAGE + sector, 1};
  uint32_t fault = 0;
  bool done = HAL_FLASH_Unlock() == HAL_OK;
  (void)context;
  done = done && HAL_FLASHEx_Erase(&erase, &fault) == HAL_OK;
  (void)HAL_FLASH_Lock();
  return done;
}
static bool flash_sync_hook(void* context) {
  (void)context; /* HAL_FLASH_Program() waits for the end of the operation */
  return true;
}

sotto_flash sotto_stm32_flash(void) {
  const sotto_flash flash = {
      NULL, flash_read_hook, flash_program_hook, flash_erase_hook, flash_sync_hook, SECTOR_BYTES, 2, 8, 0xff};
  return flash;
}

static bool entropy_ready_hook(void* context) {
  (void)context;
  return (RNG->SR & (RNG_SR_SECS | RNG_SR_CECS)) == 0 && HAL_RNG_GetState(&hrng) == HAL_RNG_STATE_READY;
}
static bool entropy_read_hook(void* context, uint8_t* out, size_t bytes) {
  (void)context;
  while (bytes != 0) {
    uint32_t word;
    size_t n = bytes < 4 ? bytes : 4;
    if (HAL_RNG_GenerateRandomNumber(&hrng, &word) != HAL_OK) return false;
    __builtin_memcpy(out, &word, n);
    out += n;
    bytes -= n;
  }
  return true;
}

sotto_entropy sotto_stm32_entropy(void) {
  const sotto_entropy entropy = {NULL, entropy_ready_hook, entropy_read_hook};
  return entropy;
}
