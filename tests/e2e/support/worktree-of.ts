import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { Machine } from './machine.ts'
import { type Scene, resourceKey } from './scene.ts'

/** Where the runner of that machine has a branch checked out. */
export function worktreeOf(
  { scene, machine }: { scene: Scene; machine: Machine },
  branch: string,
  key = resourceKey,
): string {
  const root = realpathSync(machine.home.worktrees)
  return join(root, scene.project.slug, key, branch)
}
