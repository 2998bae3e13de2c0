import { isJsonObject } from "../../../foundation/json/json.ts";
import { contracts } from "../../../foundation/spec/contracts.ts";
import { memberAt, textAt } from "../members.ts";
import type { CheckedExchange, ExchangeRule, Finding } from "../rule.ts";
import { ledgerError } from "../sample-bodies.ts";

const users = { operationId: "postV2UsersUser-idRights", target: "/v2/users/x/rights" } as const;
const withGrpc = (grpcCodeValue: number) => ledgerError.replace("{", `{"grpcCodeValue":${grpcCodeValue},`);

/** HTTP status by gRPC code (Canton 3.5, GrpcHttpErrorCodes.scala). */
const statusOfGrpc: Readonly<Record<string, number>> = {
  1: 499,
  2: 500,
  3: 400,
  4: 504,
  5: 404,
  6: 409,
  7: 403,
  8: 429,
  9: 400,
  10: 409,
  11: 400,
  12: 501,
  13: 500,
  14: 503,
  15: 500,
  16: 401,
};

/**
 * The spec names the members but not their relation; releases map them in this way (Canton 3.5,
 * GrpcHttpErrorCodes.scala; contracts/error-codes.yaml).
 */
export const errorCodesAgree: ExchangeRule = {
  type: "exchange",
  id: "error-codes-agree",
  section: "2.2",
  severity: "error",
  inSpec: { warning: "all", because: "the spec names the members but not their relation" },
  summary: "Status, gRPC code, category and code of a ledger error agree.",
  yieldsTo: ["ledger-400-is-text"],
  appliesTo: ({ operation, status, mediaType, responseJson }) =>
    operation.api === "ledger" && status >= 400 && mediaType === "application/json" && isJsonObject(responseJson),
  check: (checked) => [...wrongStatus(checked), ...wrongCategory(checked), ...strayValues(checked)],
  examples: {
    kept: [
      { ...users, name: "an unknown user", status: 404, body: withGrpc(5) },
      {
        ...users,
        name: "a redacted error",
        status: 401,
        body: '{"code":"NA","cause":"x","context":{},"errorCategory":-1,"grpcCodeValue":16}',
      },
    ],
    broken: [
      {
        ...users,
        isWarning: true,
        name: "an empty code",
        status: 404,
        body: ledgerError.replace("USER_NOT_FOUND", ""),
      },
      { ...users, isWarning: true, name: "another gRPC code", status: 404, body: withGrpc(16) },
      {
        ...users,
        isWarning: true,
        name: "another category",
        status: 404,
        body: ledgerError.replace('"errorCategory":11', '"errorCategory":8'),
      },
    ],
  },
};

function wrongStatus({ status, responseJson }: CheckedExchange): readonly Finding[] {
  const grpc = memberAt(responseJson, "grpcCodeValue");
  const expected = typeof grpc === "number" ? statusOfGrpc[grpc] : undefined;
  // The JSON layer uses another status for a list that is too long (Canton 3.5).
  const isTooLong = textAt(responseJson, "code") === "JSON_API_MAXIMUM_LIST_ELEMENTS_NUMBER_REACHED";
  if (expected === undefined || expected === status || isTooLong) return [];
  return [{ expected: `status ${expected}`, actual: `${status} with ${grpc}`, pointer: "/grpcCodeValue" }];
}

/** Codes and numbers that no release has. */
function strayValues({ responseJson }: CheckedExchange): readonly Finding[] {
  const code = textAt(responseJson, "code");
  const [category, grpc] = [memberAt(responseJson, "errorCategory"), memberAt(responseJson, "grpcCodeValue")];
  const isStray = (value: unknown, least: number, most: number) =>
    typeof value === "number" && (value < least || value > most);
  return [
    ...(code === "" ? [{ expected: "a code", actual: "an empty text", pointer: "/code" }] : []),
    ...(isStray(category, -1, 14)
      ? [{ expected: "an error category", actual: String(category), pointer: "/errorCategory", keyword: "range" }]
      : []),
    ...(isStray(grpc, 0, 16)
      ? [{ expected: "a gRPC code", actual: String(grpc), pointer: "/grpcCodeValue", keyword: "range" }]
      : []),
  ];
}

/** Redacted errors and errors of the older format have no category. */
function wrongCategory({ responseJson }: CheckedExchange): readonly Finding[] {
  const [code, category] = [textAt(responseJson, "code"), memberAt(responseJson, "errorCategory")];
  const known = codes.get(code ?? "");
  if (known === undefined || category === known || category === -1 || typeof category !== "number") return [];
  return [{ expected: String(known), actual: String(category), pointer: "/errorCategory" }];
}

const codes: ReadonlyMap<string, number> = new Map(
  contracts.errorCodes.codes.map(({ code, category }) => [code, category]),
);
