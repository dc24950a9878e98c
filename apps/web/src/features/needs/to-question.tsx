import { Redirect } from 'wouter'
import { useRead } from '../../data/reads.ts'
import { question } from '../../parts/question/reads.ts'
import { pathTo } from '../../shell/routes.ts'
import { Shown } from '../../shell/shown.tsx'

/** A question is answered on the page of its mission, where one sees what it is about. */
export function ToQuestion({ id }: { id: string }) {
  const read = useRead(question, { id })
  return (
    <Shown of={read}>
      {({ question: { displayId: objective } }) => (
        <Redirect to={pathTo('objective', { objective }, { do: 'answer', question: id })} replace />
      )}
    </Shown>
  )
}
