import type { Permission } from '@svc/contracts/permissions'
import type { ComponentType } from 'react'
import type { IconName } from '../ui/icon.tsx'

/** What the module of a feature has, by the name `Page`; `params` are the parts of the address. */
export interface PageModule {
  Page: ComponentType<{ params: Readonly<Record<string, string>> }>
}

interface RouteRow {
  /** Below `/w/<workspace>`. */
  readonly path: string
  /** Of the window, and what a screen reader says after going there. */
  readonly title: string
  readonly load: () => Promise<PageModule>
  /** Its place in the navigation, and the letter that leads there after `g`. */
  readonly nav?: { label: string; key: string; icon: IconName }
  /** The page in the navigation that it is a part of. */
  readonly within?: 'projects'
  /** Nothing stands around it: no bar, and no navigation. */
  readonly isBare?: true
  /** Whoever lacks it is not led there. */
  readonly needs?: Permission
}

/** Every address of the app, the more particular one first. */
export const routes = {
  needs: {
    path: '/',
    title: 'Needs you',
    load: () => import('../features/needs/page.tsx'),
    nav: { label: 'Needs you', key: 'n', icon: 'bell' },
    needs: 'mission:read',
  },
  projects: {
    path: '/projects',
    title: 'Projects',
    load: () => import('../features/projects/page.tsx'),
    nav: { label: 'Projects', key: 'p', icon: 'folder' },
    needs: 'project:read',
  },
  queues: {
    path: '/p/:project/queues',
    title: 'Run queues',
    within: 'projects',
    load: () => import('../features/queues/page.tsx'),
  },
  projectSettings: {
    path: '/p/:project/settings',
    title: 'Project settings',
    within: 'projects',
    load: () => import('../features/project-settings/page.tsx'),
  },
  board: {
    path: '/p/:project',
    title: 'Board',
    within: 'projects',
    load: () => import('../features/board/page.tsx'),
  },
  review: {
    path: '/m/:mission/review',
    title: 'Review',
    load: () => import('../features/review/page.tsx'),
  },
  mission: {
    path: '/m/:mission',
    title: 'Mission',
    load: () => import('../features/mission/page.tsx'),
  },
  objective: {
    path: '/o/:objective',
    title: 'Objective',
    load: () => import('../features/mission/objective-page.tsx'),
  },
  run: {
    path: '/runs/:run',
    title: 'Run',
    load: () => import('../features/run/page.tsx'),
  },
  runs: {
    path: '/runs',
    title: 'Runs',
    load: () => import('../features/runs/page.tsx'),
    nav: { label: 'Runs', key: 'r', icon: 'log' },
    needs: 'mission:read',
  },
  inbox: {
    path: '/inbox',
    title: 'Inbox',
    load: () => import('../features/inbox/page.tsx'),
    nav: { label: 'Inbox', key: 'i', icon: 'inbox' },
    needs: 'own_inbox:manage',
  },
  search: {
    path: '/search',
    title: 'Search',
    load: () => import('../features/search/page.tsx'),
  },
  runners: {
    path: '/runners',
    title: 'Runners',
    load: () => import('../features/runners/page.tsx'),
    nav: { label: 'Runners', key: 'u', icon: 'runner' },
    needs: 'project:read',
  },
  webhookDelivery: {
    path: '/webhooks/:webhook/:delivery',
    title: 'Webhook delivery',
    load: () => import('../features/webhooks/delivery-page.tsx'),
  },
  webhook: {
    path: '/webhooks/:webhook',
    title: 'Webhook',
    load: () => import('../features/webhooks/webhook-page.tsx'),
  },
  webhooks: {
    path: '/webhooks',
    title: 'Webhooks',
    load: () => import('../features/webhooks/page.tsx'),
    nav: { label: 'Webhooks', key: 'w', icon: 'webhook' },
    needs: 'webhook:read',
  },
  usage: {
    path: '/usage',
    title: 'Usage',
    load: () => import('../features/usage/page.tsx'),
    nav: { label: 'Usage', key: 'c', icon: 'chart' },
    needs: 'mission:read',
  },
  access: {
    path: '/access',
    title: 'Access',
    load: () => import('../features/access/page.tsx'),
    nav: { label: 'Access', key: 'a', icon: 'key' },
    needs: 'member:read',
  },
  audit: {
    path: '/audit',
    title: 'Audit',
    load: () => import('../features/audit/page.tsx'),
    nav: { label: 'Audit', key: 't', icon: 'shield' },
    needs: 'audit:read',
  },
  wall: {
    path: '/wall',
    title: 'Wall',
    load: () => import('../features/wall/page.tsx'),
    nav: { label: 'Wall', key: 'l', icon: 'wall' },
    needs: 'mission:read',
    isBare: true,
  },
} as const satisfies Record<string, RouteRow>

export type RouteKey = keyof typeof routes

type ParamsOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamsOf<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never
export type RouteParams<K extends RouteKey> = {
  readonly [Name in ParamsOf<(typeof routes)[K]['path']>]: string
}

export function routeRow(key: RouteKey): RouteRow {
  return routes[key]
}

/** The address of a page, below the workspace. */
export function pathTo<K extends RouteKey>(
  key: K,
  params: RouteParams<K>,
  search: Readonly<Record<string, string>> = {},
): string {
  const given: Readonly<Record<string, string>> = params
  const path = routeRow(key).path.replace(/:(\w+)/g, (_whole, name: string) =>
    // a display id is read as it is written, web:12.k7qd
    encodeURIComponent(given[name] ?? '').replaceAll('%3A', ':'),
  )
  const query = new URLSearchParams(search).toString()
  return query ? `${path}?${query}` : path
}

/** The route of an address below the workspace, with the parts of it that are named. */
export function findRoute(
  path: string,
): { key: RouteKey; params: Readonly<Record<string, string>> } | undefined {
  // the keys of an object literal are its key type; Object.keys only says string
  for (const key of Object.keys(routes) as RouteKey[]) {
    const params = match(routes[key].path, path)
    if (params) return { key, params }
  }
  return undefined
}

function match(pattern: string, path: string): Record<string, string> | undefined {
  const [wanted, given] = [partsOf(pattern), partsOf(path)]
  if (wanted.length !== given.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? ''
    if (part.startsWith(':')) params[part.slice(1)] = decode(value)
    else if (part !== value) return undefined
  }
  return params
}

const partsOf = (path: string) => path.split('/').filter((part) => part !== '')

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
