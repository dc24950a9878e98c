import type { Key } from '../../shell/keys.ts'

export function projectKeys({ create }: { create: () => void }): Key[] {
  return [{ keys: 'c', does: 'new project', run: create }]
}
