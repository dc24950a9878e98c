import type { NextStep } from '@svc/contracts/next-step'
import { CopyCommand } from '../ui/copy.tsx'
import { Notice } from '../ui/notice.tsx'
import { ButtonLink } from './link.tsx'
import { type RouteKey, pathTo, routeRow } from './routes.ts'
import { stepTarget } from './step-targets.ts'

type Params = Readonly<Record<string, string>>

/** What shows in a terminal what a page is for, as long as that page is not there. */
const instead: Partial<Record<RouteKey, (params: Params) => NextStep>> = {
  inbox: () => ({ operation: 'listInboxItems', params: {} }),
  search: () => ({ operation: 'listMissions', params: {} }),
}

/** Where a link leads to a page that is planned: what does its work until then. */
export function NotYet({ route, params }: { route: RouteKey; params: Params }) {
  const step = instead[route]?.(params)
  const command = step && stepTarget(step).command
  return (
    <>
      <h1>{routeRow(route).title}</h1>
      <Notice
        tone="caution"
        actions={
          <>
            <ButtonLink to={pathTo('projects', {})}>Projects</ButtonLink>
          </>
        }
      >
        <p>
          This page is not there yet{command === undefined ? '.' : '. Until then, in a terminal:'}
        </p>
        {command !== undefined && <CopyCommand command={command} />}
      </Notice>
    </>
  )
}
