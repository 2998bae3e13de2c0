import { useRef } from "preact/hooks";
import "./confirm-button.css";
import { useAction } from "./use-action.ts";

interface ConfirmButtonProps {
  readonly label: string;
  /** Names what is lost. */
  readonly question: string;
  readonly act: () => Promise<unknown>;
}

/** A button that asks for confirmation before an action that cannot be undone. */
export function ConfirmButton({ label, question, act }: ConfirmButtonProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const action = useAction();
  const confirm = () =>
    action.run(async () => {
      await act();
      dialog.current?.close();
      return "";
    });
  return (
    <>
      <button type="button" onClick={() => dialog.current?.showModal()}>
        {label}…
      </button>
      <dialog ref={dialog} aria-label={label}>
        <p>{question}</p>
        <p class="problem" role="alert">
          {action.problem ?? ""}
        </p>
        <div class="choices-of-dialog">
          <button type="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
          <button type="button" class="danger" aria-disabled={action.isBusy} onClick={confirm}>
            {label}
          </button>
        </div>
      </dialog>
    </>
  );
}
