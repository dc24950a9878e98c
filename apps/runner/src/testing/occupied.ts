import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RunnerWorld } from './runner-world.ts'
import { branch } from './shared-checkout.ts'
import { gitIn } from '@svc/testing/temporary'

/** The person is on the mission's branch, with changes that are not committed. */
export function occupy(world: RunnerWorld, file: string): void {
  gitIn(world.checkout, 'switch', '--quiet', '--create', branch)
  writeFileSync(join(world.checkout, file), 'a person works here')
}
