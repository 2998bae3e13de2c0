import { type CompletableCommand, mainCommands, subcommandsIn, wordsOf } from "./completable-command.ts";

/** The completion script of bash, from version 3.2 on. Where it offers nothing, bash completes file names. */
export function bashScript(commands: readonly CompletableCommand[]): string {
  const names = [...mainCommands(commands).map(({ name }) => name), "--help", "--version"].join(" ");
  const pairs = subcommandsIn(commands).map(({ name }) => `"${name}"`);
  return `# Completion of understudy. Add this line to ~/.bashrc: eval "$(understudy completion bash)"
_understudy() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" command="\${COMP_WORDS[1]}" words=""
  COMPREPLY=()
  # bash makes three words of --flag=value.
  if [ "$current" = "=" ]; then current=""
  elif [ "$previous" = "=" ]; then previous="\${COMP_WORDS[COMP_CWORD-2]}"
  fi
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${names}" -- "$current"))
    return
  fi
  if [ "$COMP_CWORD" -gt 2 ]; then
    case "$command \${COMP_WORDS[2]}" in
      ${pairs.join("|")}) command="$command \${COMP_WORDS[2]}" ;;
    esac
  fi
  case "$command $previous" in
${commands.flatMap(valueCases).join("\n")}
    *)
      case "$command" in
${commands.map(wordCase).join("\n")}
      esac
      ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _understudy understudy`;
}

/** The cases of flags with a value: its choices, or nothing. */
function valueCases({ name, flags }: CompletableCommand): readonly string[] {
  const patterns = (flag: (typeof flags)[number]) => wordsOf(flag).map((word) => `"${name} ${word}"`);
  const valued = flags.filter(({ type }) => type !== "boolean");
  const files = valued.filter(({ choices }) => choices === undefined).flatMap(patterns);
  return [
    ...valued.flatMap((flag) =>
      flag.choices === undefined ? [] : [`    ${patterns(flag).join("|")}) words="${flag.choices.join(" ")}" ;;`],
    ),
    ...(files.length === 0 ? [] : [`    ${files.join("|")}) ;;`]),
  ];
}

function wordCase({ name, words, flags }: CompletableCommand): string {
  return `        "${name}") words="${[...words, ...flags.flatMap(wordsOf)].join(" ")}" ;;`;
}
