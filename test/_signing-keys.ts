import { createECDH, createPrivateKey, createPublicKey, type JsonWebKey, type KeyObject } from "node:crypto";
import type { JWK } from "jose";

/** A private key for tests, with its public key. */
export interface SigningKey {
  readonly privateKey: KeyObject;
  /** The public key as it stands in a key set. */
  readonly published: JWK;
}

/** A key of 2048 bits that was drawn once; it protects nothing. */
export const rsaKey: SigningKey = keyOf({
  kty: "RSA",
  n: "3TtTB0fU4QW3ccL5tgBctxji_u_gRjrXzma2i512CIkalGzfjVkuxxQl7eWt6cM0U3VYk4yIdLixcMdePvSVeDy_0l1f0JwYr4e38iWe1DIWPYqy4A84luUckAsssnmL-qJKw9GyKTysgs6JP7LVEG1vw-6d5YNrJNNGjN-tGS6_GPKCKHLf4ddHl-lq78I8n9ddcR1E_-yloFVMatsfwns83a4oPCPaCuxOSwMbNdQKrxCV92FJQgq_H2DpkPrGeRlcEwc4EbL6-bOGC86L26q6X-nxb8eERRgcU6KuqY8Fm679Hit2_d5CjflC7OxmJuLOF0Yp9aUl6JcvvkpcJw",
  e: "AQAB",
  d: "N1BX6CAbp8-IGFeJm-nnRJhiWR-c0bJwttiTl8Dc_DFbhfTayDqeKYRuH1cn7qSx9pQGe43NqHFtXCdc9xysKo314CEcjcoZmfmzEkY5uhBz4xtEsiTcH05Vn-ZLXKxrRVVCoEdT5l-XOnVtd5G9GAhkw3Zr4DDFn0V8BEkAvKSufZMS7lzwwtSnCL_84olH11Ibw3qhQdeKKBkkKzjK72-EFyOfHVdRtppk3kTX7oY4ApG_DFKmS_A9vFV32ApaxE5NvKvy6S--os8TD3mQSdCFw_Ms48NNkZhSXY14ZsOyWrN3oyr2iUrkBqDUz3o4V6DRVijq4YmAWm7hHc5HUQ",
  p: "7o4kWWKkoYNcKFgwAynQWHo0_wVLyzAuFQcYNTmY9Z_eehQyEq_Rb-RtX6QxLlJcYmdoX5OZLkzbpdsfoJ9CTq61JpaMNS0veN3GiGCWA7vlC4kqXuRbcpsN-1parslzKXSm_fPaYdUKHzQMklyNEAxW22F3lLSG1QNoRwn9KqU",
  q: "7Wjg9imjozQ-yazJ6LfRq6T-lzOxp9xq-zda9TDeVKBfBpy-onQRb_af_7uibZH5mhTyxZcHtn34rEVcb2J8JnJKrhzPQe4AlukPvRsKioIvXTdoyeXweDM-R4CUbau9GqN80ikut2q8XtH9gkiVdSIvEcDtOCI1wJn0VFYyjds",
  dp: "cpsNMXgneYS_OI6tekeTVX5YiZAEyrf525ZN9fwW1SIZ4vJi4AFhj-zg8srR6dwdkBT32rrxI4I_H942wpbgZyad1s0KzN1Jajq5j3k_eMnDDxi1p2Lz4ApH3FKbME-NqQPm2ihV6RxNQZJi28nk5ynWbIzVwzY7dIivhzlwTBU",
  dq: "XP5y-BmRXpFNcuP65uxx9cEYdJOsKCt_wE2LlHWC8TUsY8OsLKg4WFoLjDmsQy0lz0QbYGhrfgFUEe7NaVfzd3_XXuIsERAwLOy33IQmGeEqumHE6yjli7_OymVEPr1Bwph9gTjecrwdcyrgGVNjL9GnDFY81XsZAQuNGCf3f3c",
  qi: "e9jha7rFD6srxxIvnO3_KubOb19r7FTxbykZtP8mruIVfAtyaEpa9abClbOz9fxodQRAs2OJrn7D_qsnjMvW39C8S_HJ_hdUnACxDTA8GT-OnaJvRLQQLw6Qy_gFIb3Ay4PSimZN8myLGlQ3oTpeZlGke2uLeWxT6OHKP34NoY0",
});

/** The key of RFC 8037, appendix A.1. */
export const ed25519Key: SigningKey = keyOf({
  kty: "OKP",
  crv: "Ed25519",
  d: "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A",
  x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
});

/** The key of a curve with a small private number. */
export function ecKey(crv: "P-256" | "P-384" | "P-521"): SigningKey {
  const bytes = { "P-256": 32, "P-384": 48, "P-521": 66 }[crv];
  const pair = createECDH({ "P-256": "prime256v1", "P-384": "secp384r1", "P-521": "secp521r1" }[crv]);
  pair.setPrivateKey(Buffer.alloc(bytes).fill(7, 1));
  const part = (from: number) =>
    pair
      .getPublicKey()
      .subarray(from, from + bytes)
      .toString("base64url");
  return keyOf({ kty: "EC", crv, d: pair.getPrivateKey("base64url"), x: part(1), y: part(1 + bytes) });
}

function keyOf(key: JsonWebKey): SigningKey {
  const privateKey = createPrivateKey({ key, format: "jwk" });
  return { privateKey, published: JSON.parse(JSON.stringify(createPublicKey(privateKey).export({ format: "jwk" }))) };
}
