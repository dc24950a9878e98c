import { visible } from '../words/visible.ts'

/** Text that somebody else has written: all of it can be seen, and none of it turns what is around it. */
export function Text({ children }: { children: string }) {
  return <bdi>{visible(children)}</bdi>
}
