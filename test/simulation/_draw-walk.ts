import { isJsonObject } from "../../src/foundation/json/json.ts";
import { profileNamesOf } from "../../src/foundation/spec/spec.ts";
import { type Random, randomOf, seedOf } from "../../src/scenarios/generation/random.ts";
import { drawEntry, pick, windows } from "./_draw-plan.ts";
import { aimed, drawTransfer } from "./_draw-steps.ts";
import {
  type Beginning,
  type Call,
  type Clock,
  type Mangling,
  manglingNames,
  sights,
  type Walk,
  type WalkEvent,
} from "./_event.ts";
import type { Names, Stock } from "./_stock.ts";
import { operationOf } from "./steps/_request-of.ts";
import type { Step } from "./steps/_step.ts";

/** Events of a walk; a meaningful one may consist of several. */
const eventsMax = 160;

/** Worlds at a time; the oldest fork is removed for one more. */
const worldsMax = 6;

/** The walk of a seed, always the same. */
export function drawWalk(seed: number, stock: Stock): Walk {
  const random = randomOf(seed, "walk");
  const beginning = drawBeginning(random, stock);
  const names = stock.names(beginning);
  const source = { random, names, steps: stepsOf(random, seed, beginning, stock) };
  const drawing = new Generators(source);
  while (drawing.events.length < eventsMax) drawing.draw();
  return { beginning, events: drawing.events };
}

function drawBeginning(random: Random, stock: Stock): Beginning {
  return {
    scenario: pick(random, stock.scenarios),
    profile: pick(random, profileNamesOf("ledger")),
    authentication: pick(random, ["bearer", "bearer", "bearer", "user", "user", "none", "jwt"]),
    seed: random.below(1000),
    clock: drawClock(random),
    journalMax: pick(random, [1000, 1000, 1000, 40, 3, 1]),
  };
}

function drawClock(random: Random): Clock {
  return pick(random, ["frozen", "frozen", "real", "x60"]);
}

/** Steps that belong together: drawn from the names of a scenario, from the spec, or a transfer from end to end. */
function stepsOf(random: Random, seed: number, beginning: Beginning, stock: Stock): () => readonly Step[] {
  const names = stock.names(beginning);
  const known = [...stock.passages(beginning, seedOf(seed, "passages"), eventsMax)].reverse();
  const generated = stock.generated(beginning.profile);
  return () => {
    if (names.holdings.length > 0 && random.happens(0.05)) return drawTransfer(random, names);
    if (random.happens(0.2)) return [aimed(random, names, pick(random, generated))];
    return known.pop() ?? [aimed(random, names, pick(random, generated))];
  };
}

interface Source {
  readonly random: Random;
  readonly names: Names;
  readonly steps: () => readonly Step[];
}

/** A walk as it is drawn; it keeps in mind which worlds there are. */
class Generators {
  readonly events: WalkEvent[] = [];
  readonly #source: Source;
  #worlds: number[] = [0];
  #forks = 0;

  constructor(source: Source) {
    this.#source = source;
  }

  draw(): void {
    const { random } = this.#source;
    const world = pick(random, this.#worlds);
    let left = random.below(1000);
    for (const [weight, draw] of this.#kinds) {
      left -= weight;
      if (left < 0) {
        this.events.push(...draw(world));
        return;
      }
    }
    this.events.push(...this.#requests(world));
  }

  readonly #kinds: readonly (readonly [weight: number, draw: (world: number) => readonly WalkEvent[]])[] = [
    [60, () => [this.#together()]],
    [20, (world) => [{ type: "pages", world, size: 2 + this.#source.random.below(20) }]],
    [60, () => [{ type: "wall", byMs: this.#wallMs() }]],
    [50, (world) => [{ type: "advance", world, by: this.#duration() }]],
    [45, (world) => this.#fork(world)],
    [15, (world) => this.#remove(world)],
    [12, (world) => [{ type: "reset", world }]],
    [60, (world) => [this.#plan(world)]],
    [25, (world) => [{ type: "begin", world, ...this.#move() }]],
    [25, (world) => [{ type: "complete", world, contract: this.#move().contract }]],
    [40, (world) => [{ type: "look", world, at: pick(this.#source.random, sights) }]],
    [8, (world) => [{ type: "rebuild", world }]],
    [20, () => [{ type: "audit" }]],
    [4, () => [this.#reload()]],
  ];

  #requests(world: number): readonly WalkEvent[] {
    return this.#source
      .steps()
      .map((step) => byHand(step, world) ?? { type: "request", world, call: this.#call(step) });
  }

  #call(step: Step): Call {
    const { random } = this.#source;
    const count = !isControl(step) && random.happens(0.15) ? 1 + random.below(2) : 0;
    const mangled = Array.from(
      { length: count },
      (): Mangling => ({
        how: pick(random, manglingNames),
        at: random.below(10_000),
        pick: random.below(1000),
      }),
    );
    return { step, via: random.happens(0.5) ? "path" : "header", mangled };
  }

  #together(): WalkEvent {
    const { random } = this.#source;
    const count = 2 + random.below(6);
    const calls = Array.from({ length: count }, () => pick(random, this.#worlds)).flatMap((world) =>
      this.#source
        .steps()
        .filter((step) => !isControl(step))
        .map((step) => ({ world, call: this.#call(step) })),
    );
    return { type: "together", calls: calls.slice(0, 10) };
  }

  #wallMs(): number {
    const { random } = this.#source;
    return pick(random, [0, 1, 100, 1500, 61_000, 3_600_000, 90_000_000, -1, -5000, -86_400_000]);
  }

  #duration(): string {
    return pick(this.#source.random, [...windows, "PT0S", "PT6M", "PT1000H", "PT70000000H", "PT99999999999H", "soon"]);
  }

  #fork(world: number): readonly WalkEvent[] {
    const { random } = this.#source;
    this.#forks += 1;
    const { length } = this.#worlds;
    const oldest = length < worldsMax ? [] : this.#worlds.slice(1, 2);
    this.#worlds = [...this.#worlds.filter((other) => !oldest.includes(other)), this.#forks];
    const from = pick<"now" | "start" | number>(random, ["now", "now", "start", random.below(30), random.below(500)]);
    return [
      { type: "fork", world, as: this.#forks, from },
      ...oldest.map((each): WalkEvent => ({ type: "remove", world: each })),
    ];
  }

  /** Also of a world that is removed already, or of the default one, which stays. */
  #remove(world: number): readonly WalkEvent[] {
    const { random } = this.#source;
    if (random.happens(0.2)) return [{ type: "remove", world: random.below(this.#forks + 1) }];
    if (world !== 0) this.#worlds = this.#worlds.filter((other) => other !== world);
    return [{ type: "remove", world }];
  }

  #plan(world: number): WalkEvent {
    const { random, names } = this.#source;
    const entries = Array.from({ length: 1 + random.below(3) }, () => drawEntry(random, names));
    return { type: "plan", world, entries };
  }

  #move(): { readonly contract: string; readonly to: string } {
    const { random, names } = this.#source;
    const known =
      names.contracts.length > 0 && random.happens(0.7) ? names.contracts : [...names.allContracts, "none-such"];
    const aliases = [...names.synchronizers.map(({ alias }) => alias), "nowhere"];
    return { contract: pick(random, known), to: pick(random, aliases) };
  }

  #reload(): WalkEvent {
    this.#worlds = [0];
    return { type: "reload", clock: drawClock(this.#source.random) };
  }
}

function isControl({ operationId }: Step): boolean {
  return operationOf(operationId).api === "control";
}

/** What a step of the control API does is an event of its own. */
function byHand({ operationId, body }: Step, world: number): WalkEvent | undefined {
  const given = isJsonObject(body) ? body : {};
  const [contract, to] = [String(given["contract"]), String(given["to"])];
  switch (operationId) {
    case "advanceClock":
      return { type: "advance", world, by: String(given["by"]) };
    case "beginReassignment":
      return { type: "begin", world, contract, to };
    case "completeReassignment":
      return { type: "complete", world, contract };
    default:
      return undefined;
  }
}
