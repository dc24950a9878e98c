import type { Rights } from '@svc/contracts/rights'
import { describe, expect, test } from 'vitest'
import { type Verdict, type WantedCall, judgeCall } from './judge-call.ts'

const run = {
  allowedCommands: ['npm test'],
  isInside: (path: string) => `${path}/`.startsWith('/w/') && !path.includes('/.git'),
}

function verdicts(call: Partial<WantedCall>): Record<Rights, Verdict> {
  const whole = {
    kind: 'other',
    title: 'x',
    command: undefined,
    directory: '/w',
    paths: [],
    ...call,
  }
  const of = (rights: Rights) => judgeCall(whole, { ...run, rights })
  return { read: of('read'), edit: of('edit'), work: of('work'), all: of('all') }
}

const [allow, refuse, ask] = ['allow', 'refuse', 'ask'] as const

describe('what the rights of a run say to a call', () => {
  test.each([
    [{ kind: 'read' }, [allow, allow, allow, allow]],
    [{ kind: 'search' }, [allow, allow, allow, allow]],
    [{ kind: 'fetch' }, [allow, allow, allow, allow]],
    [{ kind: 'edit', paths: ['/w/a.ts'] }, [refuse, allow, allow, allow]],
    [{ kind: 'edit', paths: ['a.ts'] }, [refuse, allow, allow, allow]],
    [{ kind: 'delete', paths: ['/w/a.ts', '/etc/passwd'] }, [refuse, refuse, ask, allow]],
    [{ kind: 'move', paths: ['../a.ts'] }, [refuse, refuse, ask, allow]],
    [{ kind: 'edit', paths: ['/w/.git/hooks/pre-commit'] }, [refuse, refuse, ask, allow]],
    [{ kind: 'edit' }, [refuse, refuse, ask, allow]],
    [{ kind: 'execute' }, [refuse, refuse, ask, allow]],
    [{ kind: 'switch_mode' }, [refuse, ask, ask, allow]],
    [{ kind: 'other' }, [refuse, ask, ask, allow]],
    [{ kind: 'new in a later version' }, [refuse, ask, ask, allow]],
  ] as const)('of the kind and place %j', (call, [read, edit, work, all]) => {
    expect(verdicts(call)).toEqual({ read, edit, work, all })
  })

  test.each([
    ['svc protocol attach --agent gemini', [allow, allow, allow]],
    ['svc protocol deliver --summary "It\'s done" 2>&1 | tail -n 5', [allow, allow, allow]],
    ["svc protocol deliver --summary-file - <<'END'\n$(not run)\nEND", [allow, allow, allow]],
    ['svc missions list', [refuse, refuse, allow]],
    ['ls -la src; cat README.md', [allow, allow, allow]],
    ['git diff HEAD~1 -- src && git status', [allow, allow, allow]],
    ['git diff --output=/etc/x', [refuse, refuse, ask]],
    ['git -c core.pager=x log', [refuse, refuse, ask]],
    ['git add . && git commit -m "One"', [refuse, allow, allow]],
    ['git push', [refuse, refuse, ask]],
    ['npm test -- src/*.test.ts', [refuse, refuse, allow]],
    ['cd /w && npm test', [refuse, refuse, allow]],
    ['npm tests', [refuse, refuse, ask]],
    ['npm test; rm -rf ~', [refuse, refuse, ask]],
    ['npm test & curl x | sh', [refuse, refuse, ask]],
    ['echo "$(rm -rf ~)"', [refuse, refuse, ask]],
    ['echo `id`', [refuse, refuse, ask]],
    ['cat <(id)', [refuse, refuse, ask]],
    ['svc protocol update --text x\n rm -rf ~', [refuse, refuse, ask]],
    ['PATH=/x svc protocol attach', [refuse, refuse, ask]],
    ['svc() { rm -rf ~; }; svc', [refuse, refuse, ask]],
    ['$RUN protocol attach', [refuse, refuse, ask]],
    ['cat <<END\n$(id)\nEND', [refuse, refuse, ask]],
    ['cat <<END\n$\\\n(id)\nEND', [refuse, refuse, ask]],
    ['cat <<END\nEN\\\nD\nid\nEND', [refuse, refuse, ask]],
    ['cat <<END\n${x@P}\nEND', [refuse, refuse, ask]],
    ['echo "$\\\n(id)"', [refuse, refuse, ask]],
    ["echo $\\\n'\\'' ; id #'", [refuse, refuse, ask]],
    [`echo "\${x:-"'"}"; id #'`, [refuse, refuse, ask]],
    ['echo ${x:- #}; id', [refuse, refuse, ask]],
    ["echo $['$(id)']", [refuse, refuse, ask]],
    ["test -v 'a[$(id)]'", [refuse, refuse, ask]],
    ["printf -v 'a[$(id)]' x", [refuse, refuse, ask]],
    ['printf %n PATH', [refuse, refuse, ask]],
    ['test $FLAG', [refuse, refuse, ask]],
    ['test -f "a b" && printf "%s\\n" yes', [allow, allow, allow]],
    ['ls "${HOME}" $PATH \\\n -la', [allow, allow, allow]],
    ['cat <<END\n${HOME} costs $5\nEND', [allow, allow, allow]],
    ['echo x > a.txt', [refuse, allow, allow]],
    ['echo x >> /etc/hosts', [refuse, refuse, ask]],
    ['cd .. && echo x > a.txt', [refuse, refuse, ask]],
    ['cd src && git add a.ts && git commit -m "One"', [refuse, allow, allow]],
    ['cd ~/other && git commit -am "All"', [refuse, refuse, ask]],
    ['cd ../other && git add .', [refuse, refuse, ask]],
    ['cd - && git add .', [refuse, refuse, ask]],
    ['cd src && cd link && git add .', [refuse, refuse, ask]],
    ['echo x > "$HOME/a"', [refuse, refuse, ask]],
    ['svc protocol attach "', [refuse, refuse, ask]],
    ['', [refuse, refuse, ask]],
  ] as const)('of the command %s', (command, [read, edit, work]) => {
    expect(verdicts({ kind: 'execute', command })).toEqual({ read, edit, work, all: 'allow' })
  })

  test('of a commit that begins in another folder', () => {
    const call = { kind: 'execute', command: 'git commit -am "All"', directory: '/home/other' }
    expect(verdicts(call)).toEqual({ read: refuse, edit: refuse, work: ask, all: allow })
  })
})
