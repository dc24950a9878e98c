import type { RouteName } from '@svc/contracts/rest'

/** Each part of the page has an address: `?tab=` and its key; the first one needs none. */
export const tabs = [
  { key: 'members', text: 'Members' },
  { key: 'invitations', text: 'Invitations', needs: 'listInvitations' },
  { key: 'tokens', text: 'Your tokens' },
  { key: 'all-tokens', text: 'All tokens', needs: 'listWorkspaceTokens' },
  { key: 'applications', text: 'Applications' },
  { key: 'sign-ins', text: 'Sign-ins' },
  { key: 'workspace', text: 'Workspace' },
] as const satisfies readonly { key: string; text: string; needs?: RouteName }[]

export type TabKey = (typeof tabs)[number]['key']

export function readTab(search: string): TabKey {
  const given = new URLSearchParams(search).get('tab')
  return tabs.find(({ key }) => key === given)?.key ?? 'members'
}

/** Those that are theirs, and the one that an address names: it says who may see it. */
export function tabsFor(
  mayCall: (operation: RouteName) => boolean,
  chosen: TabKey,
): { key: TabKey; text: string }[] {
  return tabs.filter((tab) => tab.key === chosen || !('needs' in tab) || mayCall(tab.needs))
}

export function searchOfTab(key: TabKey): Record<string, string> {
  return key === 'members' ? {} : { tab: key }
}
