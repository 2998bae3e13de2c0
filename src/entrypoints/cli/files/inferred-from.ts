import { NotPlayable } from "../../../scenarios/inference/not-playable.ts";
import { UserError } from "../user-error.ts";

/** What is inferred from a recording. Throws a UserError where no world can play it. */
export async function inferredFrom<Inferred>(file: string, inference: Promise<Inferred>): Promise<Inferred> {
  try {
    return await inference;
  } catch (error) {
    if (!(error instanceof NotPlayable)) throw error;
    throw new UserError(
      `${file} shows a world that cannot be played: ${error.message} Take out the exchanges that do not belong together.`,
    );
  }
}
