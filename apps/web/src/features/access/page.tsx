import { type ReactNode, useEffect } from 'react'
import { useSearchParams } from 'wouter'
import { useWorkspace } from '../../data/use-workspace.ts'
import { PageHead } from '../../shell/pages.tsx'
import { useKeys } from '../../shell/use-keys.ts'
import { TabList, TabPanel } from '../../ui/tabs.tsx'
import styles from './access.module.css'
import { AllTokens } from './all-tokens.tsx'
import { Applications } from './applications.tsx'
import { Invitations } from './invitations.tsx'
import { pageKeys } from './keys.ts'
import { Members } from './members.tsx'
import { SignIns } from './sign-ins.tsx'
import { type TabKey, readTab, searchOfTab, tabsFor } from './tabs.ts'
import { Tokens } from './tokens.tsx'
import { WorkspaceTab } from './workspace-tab.tsx'

const parts: Readonly<Record<TabKey, () => ReactNode>> = {
  members: Members,
  invitations: Invitations,
  tokens: Tokens,
  'all-tokens': AllTokens,
  applications: Applications,
  'sign-ins': SignIns,
  workspace: WorkspaceTab,
}

/** Who may come in here, by what, and what they may do. */
export function Page() {
  const { rights } = useWorkspace()
  const [search, setSearch] = useSearchParams()
  const chosen = readTab(search.toString())
  const shown = tabsFor(rights.mayCall, chosen)
  const show = (tab: TabKey) => setSearch(searchOfTab(tab))
  useKeys(pageKeys({ tabs: shown, show, walk }))
  useEffect(() => {
    // on a phone the names of the later parts are out of sight at first
    const inSight = { block: 'nearest', inline: 'nearest' } as const
    document.getElementById(`access-${chosen}`)?.scrollIntoView(inSight)
  }, [chosen])
  const Part = parts[chosen]
  return (
    <>
      <PageHead title="Access" />
      <div className={styles['page']}>
        <TabList id="access" label="Access" tabs={shown} chosen={chosen} onChoose={show} />
        <TabPanel id="access" tab={chosen} chosen={chosen}>
          <div className={styles['part']}>
            <Part key={chosen} />
          </div>
        </TabPanel>
      </div>
    </>
  )
}

/** To the first control of the next row, which says whose it is. */
function walk(step: 1 | -1): false | undefined {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')].filter((row) =>
    row.querySelector('button'),
  )
  const at = rows.findIndex((row) => row.contains(document.activeElement))
  const next = at === -1 ? rows.at(step === 1 ? 0 : -1) : rows[at + step]
  const button = next?.querySelector('button')
  if (button == null) return false
  button.focus()
  return undefined
}
