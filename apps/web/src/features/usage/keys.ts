import type { Key } from '../../shell/keys.ts'

export function usageKeys({ toggleModels }: { toggleModels: () => void }): Key[] {
  return [{ keys: 'm', does: 'each model by itself, or all of an agent', run: toggleModels }]
}
