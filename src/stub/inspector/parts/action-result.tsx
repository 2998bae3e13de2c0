import type { Action } from "./use-action.ts";

/** What became of an action, read out when it changes. */
export function ActionResult({ action }: { readonly action: Action }) {
  return (
    <>
      <p class="done" role="status">
        {action.done ?? ""}
      </p>
      <p class="problem" role="alert">
        {action.problem ?? ""}
      </p>
    </>
  );
}
