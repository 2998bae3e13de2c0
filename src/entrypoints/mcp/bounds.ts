/** Bounds of an assistant's stubs and of the results of its tools. */
export const bounds = {
  /** Stubs at a time. */
  stubs: 4,
  /** Characters of a body. */
  bodyLength: 12_000,
  /** Real time until a response, in seconds. */
  responseS: 30,
  /** Exchanges in a list of traffic. */
  exchanges: 100,
  /** Kinds of violations, and kinds of client findings. */
  kinds: 20,
  /** Users, parties and contracts of a world, each. */
  names: 20,
  /** Characters of the message about a wrong call. */
  problemLength: 4000,
  /** Characters of a search. */
  queryLength: 400,
  /** Explanations. */
  entries: 5,
  /** Sections of the docs. */
  sections: 10,
  /** Characters of a section. */
  sectionLength: 2500,
} as const;
