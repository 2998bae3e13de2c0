import type { Json } from "../../foundation/json/json.ts";

/** What probes use of a target: identifiers that exist there, and what only its owner can prepare. */
export interface TargetValues {
  /** A user that may be changed, where the target creates none. */
  readonly user?: string | undefined;
  /** A user that is only read, and granted nothing. */
  readonly someUser?: string | undefined;
  /** A party over which a new user may be given rights. */
  readonly party?: string | undefined;
  readonly synchronizer?: string | undefined;
  /** A package that the participant has. */
  readonly package?: string | undefined;
  /** A package that is not vetted and may be. */
  readonly vettablePackage?: string | undefined;
  /** A package that cannot be vetted, for example for want of a dependency. */
  readonly unvettablePackage?: string | undefined;
  /** Transactions that may be executed, in this order. */
  readonly preparedTransactions?: readonly PreparedSubmission[] | undefined;
  readonly sender?: string | undefined;
  /** A party that has not pre-approved direct transfers. */
  readonly receiver?: string | undefined;
  readonly preapprovedReceiver?: string | undefined;
  readonly instrument?: Instrument | undefined;
  /** A contract that lookups disclose and that the hooks may move, and where to. */
  readonly reassignable?: Reassignable | undefined;
}

/** A prepared transaction with what was signed of it, as the request of an execution has it. */
export interface PreparedSubmission {
  readonly preparedTransaction: string;
  readonly partySignatures: Json;
  readonly hashingSchemeVersion: string;
  /** The user of the prepare request. */
  readonly userId?: string | undefined;
}

export interface Instrument {
  readonly admin: string;
  readonly id: string;
}

export interface Reassignable {
  readonly contract: string;
  readonly to: string;
}

/** Bearer tokens by what they are worth. */
export interface TargetTokens {
  readonly administrator?: string | undefined;
  readonly plain?: string | undefined;
  readonly expired?: string | undefined;
  /** Executes the prepared transactions; the administrator's unless given. */
  readonly submitter?: string | undefined;
}

/** Steps that only the target's owner can take. */
export const hookNames = [
  "beginReassignment",
  "completeReassignment",
  "createPreapproval",
  "archivePreapproval",
] as const;
export type HookName = (typeof hookNames)[number];

/** Takes the step; the variables say with what. Gives why it failed, or undefined where it was taken. */
export type Hook = (variables: Readonly<Record<string, string>>) => Promise<string | undefined>;

export type Hooks = Readonly<Partial<Record<HookName, Hook>>>;

/** What a probe cannot do without. */
export type Need =
  | "ledger"
  | "registry"
  | "administratorToken"
  | "plainToken"
  | "expiredToken"
  | "madeUpCalls"
  | keyof TargetValues
  | HookName;

/** How to give what is missing. */
export const adviceOnNeeds: Readonly<Record<Need, string>> = {
  ledger: "--ledger URL",
  registry: "--registry URL",
  administratorToken: "--token, better UNDERSTUDY_TOKEN in the environment",
  plainToken: "--plain-token, the token of a user without rights",
  expiredToken: "--expired-token, a token that was good once",
  madeUpCalls: "json-schema-faker, which comes with the package",
  user: "--user ID, one that may be changed",
  someUser: "--user ID",
  party: "--party ID",
  synchronizer: "--synchronizer ID",
  package: "--package ID, one that the participant has",
  vettablePackage: "--vettable-package ID, one that is not vetted and may be",
  unvettablePackage: "--unvettable-package ID, one that cannot be vetted",
  preparedTransactions: "preparedTransactions in a target file, signed and ready to be executed",
  sender: "--sender PARTY",
  receiver: "--receiver PARTY",
  preapprovedReceiver: "--preapproved-receiver PARTY",
  instrument: "--instrument-admin PARTY and --instrument ID",
  reassignable: "--reassignable-contract ID and --reassignable-to SYNCHRONIZER",
  beginReassignment: "--hook beginReassignment=COMMAND",
  completeReassignment: "--hook completeReassignment=COMMAND",
  createPreapproval: "--hook createPreapproval=COMMAND",
  archivePreapproval: "--hook archivePreapproval=COMMAND",
};
