import type { Flag } from "../options.ts";
import { type CompletableCommand, mainCommands, subcommandsIn } from "./completable-command.ts";

/** The completion script of zsh. */
export function zshScript(commands: readonly CompletableCommand[]): string {
  const pairs = subcommandsIn(commands).map(({ name }) => quoted(name));
  return `#compdef understudy
# Completion of understudy. Add this line to ~/.zshrc, behind compinit: eval "$(understudy completion zsh)"
_understudy() {
  local -a commands
  commands=(
${mainCommands(commands)
  .map(({ name, summary }) => `    ${quoted(`${name}:${summary.replaceAll(":", "\\:")}`)}`)
  .join("\n")}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command="\${words[2]}"
  if (( CURRENT > 3 )); then
    case "\${words[2]} \${words[3]}" in
      ${pairs.join("|")}) command="\${words[2]} \${words[3]}" ;;
    esac
  fi
  case "$command" in
${commands.map(commandCase).join("\n")}
  esac
}
if [ "\${funcstack[1]}" = "_understudy" ]; then
  _understudy "$@"
else
  compdef _understudy understudy
fi`;
}

function commandCase({ name, words, flags }: CompletableCommand): string {
  const fixed = words.length === 0 ? [] : [`      compadd -- ${words.join(" ")}`];
  const specs = [...flags.map(flagSpec), quoted("*:file:_files")].map((spec) => `        ${spec}`);
  return [`    ${quoted(name)})`, ...fixed, "      _arguments \\", `${specs.join(" \\\n")}`, "      ;;"].join("\n");
}

/** A flag in the form that _arguments reads. */
function flagSpec({ name, short, type, value = "VALUE", help, choices }: Flag): string {
  const isValued = type !== "boolean";
  const action = choices === undefined ? "_files" : `(${choices.join(" ")})`;
  const rest = quoted(
    `[${help.replaceAll(/[[\]\\]/g, "\\$&")}]${isValued ? `:${value.replaceAll(":", "\\:")}:${action}` : ""}`,
  );
  const repeated = type === "list" ? "'*'" : "";
  const long = `--${name}${isValued ? "=" : ""}`;
  return short === undefined ? `${repeated}${long}${rest}` : `'(-${short} --${name})'{-${short},${long}}${rest}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
