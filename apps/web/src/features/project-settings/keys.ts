import type { RouteName } from '@svc/contracts/rest'
import type { Key } from '../../shell/keys.ts'

interface Does {
  mayCall: (operation: RouteName) => boolean
  /** To the part after the one that has the focus, or before it. */
  walk: (step: 1 | -1) => unknown
  /** Presses the button of that action, or goes to its field. */
  press: (action: string) => unknown
}

/** The keys of the page; what somebody may not do has none. */
export function settingsKeys({ mayCall, walk, press }: Does): Key[] {
  const mine = (operation: RouteName, ...keys: Key[]) => (mayCall(operation) ? keys : [])
  const ofRow = () => false as const
  return [
    { keys: 'j', does: 'the next part', run: () => walk(1) },
    { keys: 'k', does: 'the part before', run: () => walk(-1) },
    ...mine('updateProject', {
      keys: 'e',
      does: 'edit the project',
      run: () => press('edit-project'),
    }),
    ...mine('createProjectStatus', {
      keys: 'c',
      does: 'new column',
      run: () => press('new-column'),
    }),
    ...mine(
      'orderProjectStatuses',
      { keys: 'Alt+ArrowUp', does: 'the column one place up', run: ofRow },
      { keys: 'Alt+ArrowDown', does: 'the column one place down', run: ofRow },
    ),
    ...mine('linkProjectResource', {
      keys: 'r',
      does: 'add a resource',
      run: () => press('add-resource'),
    }),
    ...mine('updateLaunchSettings', {
      keys: 'l',
      does: 'edit the launch settings',
      run: () => press('edit-launch'),
    }),
    ...mine('updateProject', { keys: 'Mod+Enter', does: 'save what is written', run: ofRow }),
  ]
}
