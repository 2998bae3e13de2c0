export const execute = "/v2/interactive-submission/executeAndWait";
export const prepare = "/v2/interactive-submission/prepare";
export const allocate = "/v2/parties/external/allocate";
export const registry = "/registry/transfer-instruction/v1/transfer-factory";
export const plan = "/__understudy/worlds/default/plan";

export function many(count: number, one: (index: number) => string): string {
  return Array.from({ length: Math.floor(count) }, (_, index) => one(index)).join(",");
}

export function user(annotations: string): string {
  return `{"user":{"id":"large","metadata":{"annotations":${annotations}}}}`;
}

export function update(resourceVersion: string, annotations: string): string {
  const metadata = `{"resourceVersion":"${resourceVersion}","annotations":${annotations}}`;
  return `{"user":{"id":"alice","metadata":${metadata}},"updateMask":{"paths":["metadata.annotations"]}}`;
}

export function rights(count: number, suffix = ""): string {
  const all = many(count, (index) => `{"kind":{"CanActAs":{"value":{"party":"p${index}${suffix}::1220ab"}}}}`);
  return `{"userId":"alice","identityProviderId":"","rights":[${all}]}`;
}

export function execution(prepared: string, offset = "0", other = "[]", signatures = ""): string {
  return `{"preparedTransaction":"${prepared}","partySignatures":{"signatures":[${signatures}]},"submissionId":"s","hashingSchemeVersion":"HASHING_SCHEME_VERSION_V2","deduplicationPeriod":{"DeduplicationOffset":{"value":${offset}}},"other":${other}}`;
}

export function preparation(
  argument = "{}",
  blob?: string,
  submitters = 1,
  commands = 1,
  isOneSubmitter = false,
  contracts = 1,
): string {
  const create = `{"CreateCommand":{"templateId":"#splice-amulet:M:T","createArguments":${argument}}}`;
  const disclosed = `{"createdEventBlob":"${blob}","contractId":"","templateId":"","synchronizerId":""}`;
  const actAs = many(submitters, (index) => (index === 0 || isOneSubmitter ? `"${party}"` : `"p${index}::1220ab"`));
  return `{"commandId":"c${argument.length}","userId":"alice","actAs":[${actAs}],"commands":[${many(commands, () => create)}],"disclosedContracts":[${blob === undefined ? "" : many(contracts, () => disclosed)}]}`;
}

export const signature =
  '{"format":"SIGNATURE_FORMAT_RAW","signature":"","signedBy":"1220","signingAlgorithmSpec":"SIGNING_ALGORITHM_SPEC_ED25519"}';
export const synchronizer = "global-domain::1220fa79dd1ee8fe25d601870c1b05bb634a8086134bfbe57f870549e2ddaca444e2";
export const party = "alice::12202bd806c97f0e00af1a1fc3328fa763a9269723c8db8fac4f93af71db186d6e90";

export function allocation(transactions: string, signatures = 0): string {
  const common = many(
    signatures,
    (index) =>
      `{"format":"SIGNATURE_FORMAT_RAW","signature":"","signedBy":"1220${index}","signingAlgorithmSpec":"SIGNING_ALGORITHM_SPEC_ED25519"}`,
  );
  return `{"synchronizer":"${synchronizer}","onboardingTransactions":[${transactions}],"multiHashSignatures":[${common}]}`;
}

export function choice(holdings: string): string {
  return `{"choiceArguments":{"expectedAdmin":"a::b","transfer":{"inputHoldingCids":[${holdings}]}},"excludeDebugFields":true}`;
}

export function vetting(count: number): string {
  const packages = many(count, (index) => `{"packageId":"p${index}","packageName":"n","packageVersion":"1"}`);
  return `{"changes":[{"operation":{"Vet":{"value":{"packages":[${packages}]}}}}],"dryRun":true}`;
}

export function repeated(bytes: readonly number[], length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, index) => bytes[index % bytes.length] ?? 0);
}

/** A length-delimited field. */
export function wrapped(field: number, content: Uint8Array): Uint8Array {
  const head = [(field << 3) | 2];
  for (let left = content.length; ; left >>>= 7) {
    head.push(left < 128 ? left : (left & 127) | 128);
    if (left < 128) break;
  }
  return Buffer.concat([Uint8Array.from(head), content]);
}

export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}

export function planOf(count: number, entry: (index: number) => string): string {
  return `{"plan":[${many(count, entry)}]}`;
}

/** Created contracts whose argument has many levels. */
export function nestedValues(levels: number, count: number): Uint8Array {
  let value: Uint8Array = wrapped(8, Uint8Array.of(97));
  for (let level = 0; level < levels; level += 1)
    value = wrapped(11, repeatedMessage(1, value, level === levels - 1 ? 200 : 1));
  const node = wrapped(3, wrapped(1000, wrapped(1, wrapped(5, value))));
  return wrapped(1, Buffer.concat(Array.from({ length: Math.max(1, Math.floor(count / 12)) }, () => node)));
}

function repeatedMessage(field: number, content: Uint8Array, times: number): Uint8Array {
  return Buffer.concat(Array.from({ length: times }, () => wrapped(field, content)));
}

/** The hosting of a party with many signing keys. */
export function partyKeys(count: number): Uint8Array {
  const all = Array.from({ length: Math.floor(count) }, (_, index) =>
    wrapped(1, wrapped(3, Buffer.from(`key ${index}`))),
  );
  const hosting = Buffer.concat([wrapped(1, Buffer.from(party)), wrapped(6, Buffer.concat(all))]);
  return Buffer.concat([Uint8Array.of(8, 1, 16, 1), wrapped(3, wrapped(9, hosting))]);
}
