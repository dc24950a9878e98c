import { execFileSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createRepository, gitIn, temporaryFolder } from './temporary.ts'

export interface BareOrigin extends Disposable {
  /** By ssh, which leads to this machine where Git has `env`. */
  url: string
  env: { GIT_SSH_COMMAND: string }
  git: (...args: string[]) => string
  /** Has it refuse every push with these words, until it is called without any. */
  refuse: (why?: string) => void
}

/** A repository that is only reached through Git's own transport, as on another machine. */
export function openBareOrigin(): BareOrigin {
  const folder = temporaryFolder()
  const bare = join(folder.path, 'web.git')
  const first = createRepository(join(folder.path, 'first'))
  execFileSync('git', ['clone', '--quiet', '--bare', first.path, bare])
  const ssh = join(folder.path, 'ssh')
  // Git asks first what kind of ssh it is; then host and command are all that it gives
  const script = '#!/bin/sh\n[ "$1" = -G ] && exit 1\nfor last; do :; done\nexec sh -c "$last"\n'
  writeFileSync(ssh, script, { mode: 0o755 })
  const hook = join(bare, 'hooks', 'pre-receive')
  return {
    url: `ssh://git@git.test${bare}`,
    env: { GIT_SSH_COMMAND: ssh },
    git: (...args) => gitIn(bare, ...args),
    refuse(why) {
      writeFileSync(hook, why === undefined ? '#!/bin/sh\n' : `#!/bin/sh\necho ${why}\nexit 1\n`)
      chmodSync(hook, 0o755)
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  }
}
