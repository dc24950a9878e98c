import type { Mission } from '@svc/contracts/mission'
import { boundsOf, budgetOf } from '../../parts/budget/bounds.ts'
import type { CurrentParts } from '../../parts/conflict/edited-parts.ts'

/** What people call each of the settings; a new one without its name does not compile. */
export const settingNames = {
  usd: 'Budget in dollars',
  tokens: 'Budget in tokens',
  runs: 'Budget in runs',
  advances: 'Auto-advance',
  isParallel: 'Let its objectives run together',
  worktrees: 'Where its runs work',
} as const

export type Setting = keyof typeof settingNames
type Texts = Readonly<Record<Setting, string>>

export const worktreeWords = {
  null: 'As the project says',
  true: 'Each in a working tree of its own',
  false: 'In the checkout itself',
} as const

/** Each as it is written in its field. */
export function partsOf(mission: Mission): CurrentParts<Setting> {
  const { revision, budget, auto_advance, allowParallelObjectives, useWorktrees } = mission
  return {
    revision,
    texts: {
      ...boundsOf(budget),
      advances: String(auto_advance),
      isParallel: String(allowParallelObjectives),
      worktrees: String(useWorktrees),
    },
  }
}

export function settingsOf(texts: Texts) {
  return {
    budget: budgetOf(texts),
    auto_advance: texts.advances === 'true',
    allowParallelObjectives: texts.isParallel === 'true',
    useWorktrees: texts.worktrees === 'null' ? null : texts.worktrees === 'true',
  }
}

/** As a text that people compare. */
export function describeSetting(setting: Setting, text: string): string {
  if (setting === 'advances' || setting === 'isParallel') return text === 'true' ? 'on' : 'off'
  if (setting === 'worktrees') {
    return worktreeWords[text === 'true' || text === 'false' ? text : 'null']
  }
  return text.trim() || 'no bound'
}
