import type { Actor } from '../common/actor.ts'

/** Whether it speaks with what a runner or an agent holds: what it does then is not its person's own act. */
export function isMachine({ credential }: Actor): boolean {
  return credential.preset === 'runner' || credential.objective !== null
}
