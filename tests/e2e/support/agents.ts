import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const scriptedAgentMain = fileURLToPath(import.meta.resolve('@svc/scripted-agent/main'))

const protocolAgentMain = fileURLToPath(
  import.meta.resolve('@svc/runner/testing/protocol-agent-main'),
)

const writeDown = `
    folder="$SVC_RUNNER_HOME/recorded"
    mkdir -p "$folder"
    env -0 > "$folder/environment"
    printf '%s\\0' "$@" > "$folder/arguments"
    pwd > "$folder/directory"
    cp "$SVC_CONTEXT_FILE" "$folder/briefing.md"`

const goOnAsScripted = `exec '${process.execPath}' '${scriptedAgentMain}' "$@"`

/** How many lines of a hundred bytes `prints-much` prints; in every thousandth stands its token. */
export const printedLines = 1_000_000

/** Agents of a machine other than the scripted one; each is a shell script. */
const scripts = {
  /** Its first generation never attaches. */
  'stalls-once': `
    if [ "$SVC_EXECUTION_GENERATION" = 1 ]; then export SVC_SCRIPTED=hang-before-attach; fi
    ${goOnAsScripted}`,
  /** Removes one folder by a commit, in a way that is as quick with many files, and one without. */
  'clears-out': `
    set -e
    kept=$(git ls-tree HEAD | grep -v 'committed$' | git mktree)
    git read-tree -m -u HEAD "$kept"
    git -c user.name=A -c user.email=a@example.com commit --quiet -m 'Clear out'
    rm -r forgotten
    ${goOnAsScripted}`,
  /**
   * Commits a file named after its objective in each other resource, where its briefing says that it can, and writes down
   * what it knows of all; then it waits for a file of its machine, and works as scripted.
   */
  'commits-in-others': `
    set -e
    key="\${SVC_OBJECTIVE_ID##*.}"
    folder="$SVC_RUNNER_HOME/recorded/$key"
    mkdir -p "$folder"
    cp "$SVC_CONTEXT_FILE" "$folder/briefing.md"
    echo "$SVC_PROJECT_RESOURCES" > "$folder/environment.json"
    sed -n 's/^- [a-z-]* (rw): \\(.*\\), on branch .*/\\1/p' "$SVC_CONTEXT_FILE" > "$folder/others"
    while read -r other; do
      cd "$other"
      echo "$key" > "$key.md"
      git add "$key.md"
      git -c user.name=A -c user.email=a@example.com commit --quiet -m "Work of $key"
    done < "$folder/others"
    cd "$SVC_WORKING_DIRECTORY"
    svc protocol load-context > "$folder/context.json"
    touch "$folder/done"
    while [ ! -e "$SVC_RUNNER_HOME/recorded/go-on" ]; do sleep 0.05; done
    ${goOnAsScripted}`,
  /** Writes down what it was started with, and gives its token away. */
  recorder: `${writeDown}
    echo "my token is $SVC_USER_TOKEN"
    ${goOnAsScripted}`,
  /** Prints 100 MB and works as scripted. */
  'prints-much': `
    awk -v token="$SVC_USER_TOKEN" -v rest="$(printf '%080d' 0)" 'BEGIN {
      for (i = 0; i < ${printedLines}; i++)
        printf "%09d %s %s\\n", i, rest, i % 1000 ? "some-more" : token }'
    ${goOnAsScripted}`,
  /** Writes the same down and never attaches. */
  quits: `${writeDown}
    echo "I quit"
    exit 3`,
  /** Delivers what its check does not let through, and then what it does. */
  'corrects-itself': `
    folder="$SVC_RUNNER_HOME/recorded"
    mkdir -p "$folder"
    save() {
      echo "$1" > state
      git add state
      git -c user.name=A -c user.email=a@example.com commit --quiet -m "It is $1"
    }
    svc protocol attach --agent corrects-itself > "$folder/attach.json"
    save broken
    svc protocol deliver --summary 'Done.' > "$folder/delivered.json" 2> "$folder/refused" && exit 9
    save fine
    svc protocol deliver --summary 'Corrected.' > "$folder/delivered.json"`,
  /** Says of a check that fails that it has passed, in each way that it has, and answers its own question. */
  forges: `
    folder="$SVC_RUNNER_HOME/recorded"
    mkdir -p "$folder"
    post() { '${process.execPath}' -e '
      const { SVC_BACKEND_URL: url, SVC_USER_TOKEN: token } = process.env
      const headers = { authorization: "Bearer " + token, "content-type": "application/json" }
      const answer = await fetch(url + process.argv[1], { method: "POST", headers, body: process.argv[2] })
      console.log(answer.status)' "$1" "$2" >> "$folder/answers"; }
    svc protocol attach --agent forges > "$folder/attach.json"
    svc protocol ask --question 'May I?' > "$folder/asked.json"
    id=$(sed -n 's/.*"questionId": *"\\([0-9a-f-]*\\)".*/\\1/p' "$folder/asked.json")
    post "/api/questions/$id/answer" '{"text":"You may."}'
    result='{"name":"state","outcome":"passed","exitCode":0,"seconds":1,"output":""}'
    tree='"commit":null,"dirty":false,"changed":false'
    (while :; do
      touch "$SVC_TMPDIR/check-wanted"
      post "/api/runner/requests/$SVC_EXECUTION_REQUEST_ID/check" \
        "{\\"leaseToken\\":\\"k1.1\\",\\"attempt\\":1,\\"report\\":{$tree,\\"results\\":[$result]}}"
    done) &
    echo '[state passed after 0.1 s]'
    svc protocol deliver --summary 'All checks passed.' --checks passed
    svc protocol deliver --summary 'All checks passed.'
    svc protocol deliver --summary 'All checks have passed, again.'
    kill $!`,
  /**
   * Uses the operations of the agent protocol by hand, where Git does nothing but record that it was called; around its
   * attach, a file that nobody has saved lies in the checkout.
   */
  'speaks-by-hand': `
    set -e${writeDown}
    mkdir -p "$folder/bin"
    printf '#!/bin/sh\\necho "$@" >> "%s/git-calls"\\nexit 1\\n' "$folder" > "$folder/bin/git"
    chmod 755 "$folder/bin/git"
    marker="unsaved of $SVC_EXECUTION_REQUEST_ID"
    echo "$marker" > unsaved
    PATH="$folder/bin:$PATH" svc protocol attach --agent by-hand > "$folder/attach.json"
    grep -rl --exclude-dir=worktrees "$marker" . "$SVC_RUNNER_HOME" > "$folder/copies"
    rm unsaved
    svc protocol load-context > "$folder/context.json"
    svc protocol heartbeat --percent 40 --note 'half way' > "$folder/heartbeat.json"
    svc protocol update --text 'Half way there.' > "$folder/update.json"
    svc protocol add-artifact --type next_steps --label 'Next' --content-text first > "$folder/artifact.json"
    id=$(sed -n 's/.*"id": *"\\([0-9a-f-]*\\)".*/\\1/p' "$folder/artifact.json" | head -n 1)
    svc protocol update-artifact --artifact-id "$id" --expected-revision 1 --content-text second
    svc protocol deliver --summary 'Done by hand.' > "$folder/deliver.json"`,
} as const

/** What such an agent wrote down in the runner's folder. */
export interface Recorded {
  environment: Record<string, string>
  arguments: string[]
  directory: string
  briefing: string
}

export function readRecorded(home: string): Recorded {
  const read = (name: string) => readFileSync(join(home, 'recorded', name), 'utf8')
  const list = (name: string) => read(name).split('\0').slice(0, -1)
  return {
    environment: Object.fromEntries(list('environment').map((entry) => parted(entry))),
    arguments: list('arguments'),
    directory: read('directory').trimEnd(),
    briefing: read('briefing.md'),
  }
}

function parted(entry: string): [string, string] {
  const at = entry.indexOf('=')
  return [entry.slice(0, at), entry.slice(at + 1)]
}

/** Speaks the Agent Client Protocol, and does what the lines `step: …` of its objective say. */
const speaking = (offers: 'resumes' | '') => `
    export SVC_TEST_FOLDER="$SVC_RUNNER_HOME" SVC_TEST_OFFERS='${offers}'
    exec '${process.execPath}' '${protocolAgentMain}'`

/** A step without a model. */
const stepping = `
    svc protocol update --text 'Half way there.' > answer.json
    git add answer.json
    git -c user.name=A -c user.email=a@example.com commit --quiet -m 'Keep the answer'
    echo "All done by a step."`

/** Started by an interpreter that is not there. */
export const unstartable = 'unstartable'

/** Puts the scripts into the runner's folder, as a person adds agents. */
export function writeAgents(home: string): void {
  const folder = join(home, 'agents')
  mkdirSync(folder, { recursive: true })
  const write = (key: string, text: string) => {
    writeFileSync(join(folder, key), text, { mode: 0o755 })
    return join(folder, key)
  }
  const writeScript = (key: string, script: string) =>
    write(key, `#!/bin/sh\nif [ "$1" = --version ]; then echo 1; exit; fi\n${script}\n`)
  const rows = [
    ...Object.entries(scripts).map(([key, script]) => row(key, writeScript(key, script))),
    row(unstartable, write(unstartable, '#!/nowhere/interpreter\n')),
    spoken('speaks', 'acp', writeScript('speaks', speaking('resumes'))),
    spoken('forgets', 'acp', writeScript('forgets', speaking(''))),
    spoken('steps', 'command', writeScript('steps', stepping)),
  ]
  writeFileSync(join(home, 'agents.json'), JSON.stringify(rows))
}

function spoken(key: string, protocol: 'acp' | 'command', binary: string) {
  return { key, protocol, binary, argv: [] }
}

function row(key: string, binary: string) {
  return {
    key,
    binary,
    argv: [
      ['--system-prompt-file', '{briefing}'],
      ['--model', '{model}'],
      ['--', '{message}'],
    ],
    briefing: 'system_prompt_file',
    sessionId: 'none',
  }
}
