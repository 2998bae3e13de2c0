import { NotPlayable } from "../../../scenarios/inference/not-playable.ts";
import { UserError } from "../user-error.ts";

/** The result of an inference. Throws a UserError if no world can play the recording. */
export async function inferredFrom<Inferred>(file: string, inference: Promise<Inferred>): Promise<Inferred> {
  try {
    return await inference;
  } catch (error) {
    if (!(error instanceof NotPlayable)) throw error;
    throw new UserError(
      `${file} cannot be played by one world: ${error.message} Remove the exchanges that do not belong together.`,
    );
  }
}
