import type { Json } from "../../foundation/json/json.ts";
import type { Shape } from "../../foundation/spec/shape.ts";

/** The text and the JSON that a schema makes of members. */
export interface SentMembers {
  /** The text in consecutive parts. */
  readonly parts: readonly string[];
  readonly json: Json;
}

/** The members of a body that may be sent again, with the form in which they were last sent. */
export class CachedMembers<Members> {
  readonly members: Members;
  #shape: Shape | undefined;
  #sent: SentMembers | undefined;
  #characters = 0;

  constructor(members: Members) {
    this.members = members;
  }

  /** Characters of the text in which they were last sent; 0 before that. */
  get characters(): number {
    return this.#characters;
  }

  /** The members in the form of a schema, made by `show`; cached until they are requested in another one. */
  sent(shape: Shape | undefined, show: (members: Members, shape: Shape | undefined) => SentMembers): SentMembers {
    if (this.#sent === undefined || this.#shape !== shape) {
      this.#shape = shape;
      this.#sent = show(this.members, shape);
      this.#characters = this.#sent.parts.reduce((sum, part) => sum + part.length, 0);
    }
    return this.#sent;
  }
}
