/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */
/* Stub: STM32CubeL4, the parts of the HAL that the port uses */
#pragma once
#include <stdint.h>

typedef enum { HAL_OK = 0x00, HAL_ERROR = 0x01, HAL_BUSY = 0x02, HAL_TIMEOUT = 0x03 } HAL_StatusTypeDef;
typedef struct {
  uint32_t TypeErase;
  uint32_t Banks;
  uint32_t Page;
  uint32_t NbPages;
} FLASH_EraseInitTypeDef;
#define FLASH_TYPEERASE_PAGES 0x00u
#define FLASH_TYPEPROGRAM_DOUBLEWORD 0x00u
#define FLASH_BANK_1 0x01u
#define FLASH_BANK_2 0x02u
HAL_StatusTypeDef HAL_FLASH_Unlock(void);
HAL_StatusTypeDef HAL_FLASH_Lock(void);
HAL_StatusTypeDef HAL_FLASH_Program(uint32_t TypeProgram, uint32_t Address, uint64_t Data);
HAL_StatusTypeDef HAL_FLASHEx_Erase(FLASH_EraseInitTypeDef* pEraseInit, uint32_t* PageError);

typedef struct {
  volatile uint32_t CR, SR, DR;
} RNG_TypeDef;
typedef enum { HAL_RNG_STATE_RESET = 0x00, HAL_RNG_STATE_READY = 0x01 } HAL_RNG_StateTypeDef;
typedef struct {
  RNG_TypeDef* Instance;
} RNG_HandleTypeDef;
extern RNG_TypeDef stub_rng;
#define RNG (&stub_rng)
#define RNG_SR_CECS 0x02u
#define RNG_SR_SECS 0x04u
HAL_RNG_StateTypeDef HAL_RNG_GetState(const RNG_HandleTypeDef* hrng);
HAL_StatusTypeDef HAL_RNG_GenerateRandomNumber(RNG_HandleTypeDef* hrng, uint32_t* random32bit);
