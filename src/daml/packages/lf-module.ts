import type { WireMessage } from "../wire/message.ts";
import { dataType, exception, lfInterface, type Surroundings, synonym, template, value } from "./decode-definition.ts";
import type { DataType, LfException, LfInterface, LfTemplate, LfValue, TypeSynonym } from "./definitions.ts";
import { LazyDefinitions } from "./lazy-definitions.ts";

/** A module of a package. Each list of definitions is made when it is first needed. */
export class LfModule {
  readonly name: string;
  readonly #message: WireMessage<"Module">;
  readonly #tables: Surroundings;
  #dataTypes: LazyDefinitions<"DefDataType", DataType> | undefined;
  #synonyms: LazyDefinitions<"DefTypeSyn", TypeSynonym> | undefined;
  #templates: LazyDefinitions<"DefTemplate", LfTemplate> | undefined;
  #interfaces: LazyDefinitions<"DefInterface", LfInterface> | undefined;
  #values: LazyDefinitions<"DefValue", LfValue> | undefined;
  #exceptions: LazyDefinitions<"DefException", LfException> | undefined;

  constructor(name: string, message: WireMessage<"Module">, tables: Surroundings) {
    this.name = name;
    this.#message = message;
    this.#tables = tables;
  }

  get dataTypes(): LazyDefinitions<"DefDataType", DataType> {
    this.#dataTypes ??= new LazyDefinitions(this.#message.all("dataTypes"), this.#nameOf, (each) =>
      dataType(each, this.#tables),
    );
    return this.#dataTypes;
  }

  get synonyms(): LazyDefinitions<"DefTypeSyn", TypeSynonym> {
    this.#synonyms ??= new LazyDefinitions(this.#message.all("synonyms"), this.#nameOf, (each) =>
      synonym(each, this.#tables),
    );
    return this.#synonyms;
  }

  get templates(): LazyDefinitions<"DefTemplate", LfTemplate> {
    this.#templates ??= new LazyDefinitions(this.#message.all("templates"), this.#nameOf, (each) =>
      template(each, this.#tables),
    );
    return this.#templates;
  }

  get interfaces(): LazyDefinitions<"DefInterface", LfInterface> {
    this.#interfaces ??= new LazyDefinitions(this.#message.all("interfaces"), this.#nameOf, (each) =>
      lfInterface(each, this.#tables),
    );
    return this.#interfaces;
  }

  get values(): LazyDefinitions<"DefValue", LfValue> {
    this.#values ??= new LazyDefinitions(
      this.#message.all("values"),
      (each) => this.#tables.dottedName(each.one("nameWithType")?.number("name") ?? 0),
      (each) => value(each, this.#tables),
    );
    return this.#values;
  }

  get exceptions(): LazyDefinitions<"DefException", LfException> {
    this.#exceptions ??= new LazyDefinitions(this.#message.all("exceptions"), this.#nameOf, (each) =>
      exception(each, this.#tables),
    );
    return this.#exceptions;
  }

  readonly #nameOf = (each: Named): string => this.#tables.dottedName(each.number("name"));
}

interface Named {
  number(field: "name"): number;
}
