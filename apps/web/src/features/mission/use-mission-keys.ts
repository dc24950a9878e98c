import { flushSync } from 'react-dom'
import { useLocation } from 'wouter'
import { pathTo } from '../../shell/routes.ts'
import { useKeys } from '../../shell/use-keys.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { missionKeys } from './keys.ts'
import type { Scene } from './scene.ts'

/** The keys of the page, for those who may do what they do. */
export function useMissionKeys({ shown, open, expand, expanded }: Scene, show: () => void): void {
  const { rights } = useWorkspace()
  const [, goTo] = useLocation()
  const rows = () => [...document.querySelectorAll<HTMLElement>('[data-objective]')]
  const focused = () =>
    document.activeElement?.closest<HTMLElement>('[data-objective]')?.dataset['objective']
  // what it leads to is drawn before the next key is heard
  const press = (selector: string, objective = expanded) => {
    flushSync(() => {
      show()
      expand(objective)
    })
    const found = document.querySelector<HTMLElement>(selector)
    found?.focus()
    found?.click()
  }
  useKeys(
    missionKeys({
      mayCall: rights.mayCall,
      objectives: shown.objectives,
      current: () => focused() ?? expanded,
      go: (id) => {
        const row = rows().find(({ dataset }) => dataset['objective'] === id)
        row?.querySelector<HTMLElement>('button[aria-expanded]')?.focus()
      },
      launch: (objective) => open({ what: 'launch', objective }),
      cancel: (objective) => open({ what: 'cancel', objective }),
      edit: (objective) => press('[data-action="edit"]', objective),
      add: () => press('[data-action="add-objective"]'),
      move: () => press('[data-action="move"]'),
      review:
        shown.deliveries.length > 0
          ? () => goTo(pathTo('review', { mission: shown.mission.displayId }))
          : undefined,
      step: (objective, direction) =>
        press(`[data-objective="${objective}"] [data-action="${direction}"]`),
    }),
  )
}
