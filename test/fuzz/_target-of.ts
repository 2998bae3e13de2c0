import type { FuzzTarget } from "./_fuzz-kind.ts";

/** A kind whose inputs are drawn completely before they are used. */
export interface Generators<Input> {
  draw(random: () => number): Input;
  /** The problem that the input shows, without the input; undefined if the target handles it. */
  check(input: Input): string | undefined | Promise<string | undefined>;
  show(input: Input): string;
}

/** Characters of an input that are shown. */
const shownMax = 20_000;

/** Turns an error or a problem into a finding with its input. */
export function targetOf<Input>({ draw, check, show }: Generators<Input>): FuzzTarget {
  const shown = (input: Input) => shortened(show(input));
  return {
    attempt: async (random, onDrawn) => {
      const input = draw(random);
      onDrawn();
      const problem = await problemOf(() => check(input));
      return problem === undefined ? undefined : `${problem}\n${shown(input)}`;
    },
    show: (random) => shown(draw(random)),
    close: async () => undefined,
  };
}

async function problemOf(check: () => string | undefined | Promise<string | undefined>): Promise<string | undefined> {
  try {
    return await check();
  } catch (error) {
    return thrown(error);
  }
}

/** The thrown error with its first stack frame. Messages differ between inputs in numbers and quoted texts. */
export function thrown(error: unknown): string {
  if (!(error instanceof Error)) return `throws ${typeof error}\n${String(error)}`;
  const frame = /^\s+at .*$/m.exec(error.stack ?? "")?.[0]?.trim() ?? "";
  return `throws ${error.name} ${frame}\n${shortened(error.stack ?? error.message)}`;
}

function shortened(text: string): string {
  return text.length <= shownMax ? text : `${text.slice(0, shownMax)}… (${text.length} characters)`;
}
