import type { MessageList, MessageName, WireMessage } from "../wire/message.ts";

/** The definitions of one kind in a module: names are known at once, a definition is decoded when it is first needed. */
export class LazyDefinitions<Name extends MessageName, Definition> {
  /** The positions in the list, by name. */
  readonly #positions: ReadonlyMap<string, number>;
  readonly #messages: MessageList<Name>;
  readonly #decode: (message: WireMessage<Name>) => Definition;
  readonly #decoded = new Map<string, Definition>();

  constructor(
    messages: MessageList<Name>,
    nameOf: (message: WireMessage<Name>) => string,
    decode: (message: WireMessage<Name>) => Definition,
  ) {
    this.#messages = messages;
    this.#decode = decode;
    this.#positions = new Map(messages.map(nameOf).map((name, index) => [name, index]));
  }

  get names(): readonly string[] {
    return [...this.#positions.keys()];
  }

  has(name: string): boolean {
    return this.#positions.has(name);
  }

  get(name: string): Definition | undefined {
    const known = this.#decoded.get(name);
    if (known !== undefined) return known;
    const position = this.#positions.get(name);
    if (position === undefined) return undefined;
    const definition = this.#decode(this.#messages.at(position));
    this.#decoded.set(name, definition);
    return definition;
  }

  /** All definitions in the order of the package. */
  *all(): IterableIterator<Definition> {
    for (const name of this.#positions.keys()) {
      const definition = this.get(name);
      if (definition !== undefined) yield definition;
    }
  }
}
