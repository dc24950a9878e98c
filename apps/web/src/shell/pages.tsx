import { type ComponentType, Suspense, lazy, useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { useWorkspace } from '../data/use-workspace.ts'
import { announce } from '../ui/announce.ts'
import { loadPart } from '../ui/load-part.ts'
import { Notice } from '../ui/notice.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Boundary } from './boundary.tsx'
import { ProjectTabs } from './project-tabs.tsx'
import { type PageModule, type RouteKey, findRoute, routeRow } from './routes.ts'
import { Settling } from './settled.ts'
import styles from './shell.module.css'
import { nameTab } from './tab-mark.tsx'

const pages = new Map<RouteKey, PageModule['Page']>()

function pageOf(key: RouteKey): ComponentType<{ params: Readonly<Record<string, string>> }> {
  const { load } = routeRow(key)
  const known = pages.get(key) ?? lazy(async () => ({ default: (await loadPart(load)).Page }))
  pages.set(key, known)
  return known
}

/** The page of the address; going to another one says its title, and moves the focus to its beginning. */
export function Pages() {
  const [path] = useLocation()
  const { role } = useWorkspace().me
  const main = useRef<HTMLElement>(null)
  const found = findRoute(path)
  const title = found ? routeRow(found.key).title : 'Nothing here'
  const first = useRef(true)
  // before the page itself, which may have a better one
  useLayoutEffect(() => {
    nameTab(title)
  }, [path, title])
  useEffect(() => {
    if (first.current) {
      first.current = false
      return
    }
    announce(title)
    main.current?.focus({ preventScroll: true })
    window.scrollTo(0, 0)
  }, [path, title])
  return (
    <main className={styles['main']} id="main" ref={main} tabIndex={-1}>
      <Boundary place={path}>
        <Suspense fallback={<Skeleton />}>
          {/* what somebody began and may do no more goes with the role that allowed it */}
          <PageAt key={`${path} ${role}`} found={found} />
          <Settling />
        </Suspense>
      </Boundary>
    </main>
  )
}

/** Another address is another page, also of the same kind: what is open or typed on one mission is nothing of the next. */
function PageAt({ found }: { found: ReturnType<typeof findRoute> }) {
  const Page = found && pageOf(found.key)
  if (found && Page) return <Page params={found.params} />
  return (
    <>
      <h1>There is nothing here</h1>
      <Notice tone="caution">No page of this workspace has this address.</Notice>
    </>
  )
}

/** The beginning of a page: its heading, what one may do here, and the other pages of its project. */
export function PageHead({
  title,
  project,
  children,
}: {
  title: React.ReactNode
  /** The slug of the project that it is a page of. */
  project?: string
  children?: React.ReactNode
}) {
  return (
    <>
      <div className={styles['head']}>
        <h1>{title}</h1>
        {children}
      </div>
      {project !== undefined && <ProjectTabs project={project} />}
    </>
  )
}
