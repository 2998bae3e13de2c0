import type { JsonObject } from "../../../foundation/json/json.ts";
import { withoutUndefined } from "../../../foundation/json/members.ts";
import type { Instrument } from "../../registry/registry-state.ts";

const supportedApis: Readonly<Record<string, number>> = {
  "splice-api-token-metadata-v1": 1,
  "splice-api-token-holding-v1": 1,
  "splice-api-token-transfer-instruction-v1": 1,
  "splice-api-token-allocation-v1": 1,
  "splice-api-token-allocation-instruction-v1": 1,
  "splice-api-token-holding-v2": 1,
  "splice-api-token-transfer-instruction-v2": 1,
  "splice-api-token-allocation-v2": 1,
  "splice-api-token-allocation-instruction-v2": 1,
};

/** An instrument as JSON (Splice 0.7, the metadata API of the token standard, version 1.2.0). */
export function instrumentJson({ id, name, symbol, decimals, paused, pauseInfo }: Instrument): JsonObject {
  const { reason, until } = pauseInfo ?? {};
  const pause = { paused, pauseInfo: pauseInfo && withoutUndefined({ reason, until }) };
  return { id, name, symbol, decimals, supportedApis, ...withoutUndefined(pause) };
}
