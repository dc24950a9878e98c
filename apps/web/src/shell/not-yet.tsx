import { Notice } from '../ui/notice.tsx'
import { ButtonLink } from './link.tsx'
import { type RouteKey, pathTo, routeRow } from './routes.ts'

/** Where a link leads to a page that is planned. */
export function NotYet({ route }: { route: RouteKey }) {
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
        This page is not there yet.
      </Notice>
    </>
  )
}
