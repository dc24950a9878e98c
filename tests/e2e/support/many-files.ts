import { execFileSync } from 'node:child_process'
import type { Repository } from '@svc/testing/temporary'

/** A larger one takes Git's import ever longer for each file more. */
const filesOfFolder = 1_000

/** Commits so many files in each of these folders of `main`, of one line each, and writes none of them out. */
export function commitMany({ path }: Repository, folders: readonly string[], count: number): void {
  const files = folders.flatMap((folder) =>
    Array.from(
      { length: count },
      (_, index) => `M 100644 :1 ${folder}/${Math.floor(index / filesOfFolder)}/${index}.txt`,
    ),
  )
  const input = [
    'blob\nmark :1\ndata 5\nline\n',
    'commit refs/heads/main\ncommitter A person <person@example.com> 0 +0000\ndata 4\nMany',
    'from refs/heads/main^0',
    ...files,
    '',
  ].join('\n')
  execFileSync('git', ['fast-import', '--quiet'], { cwd: path, input })
}
