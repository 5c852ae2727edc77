/* SPDX-License-Identifier: MIT */
//! scan: report 1 "class":"sequential","reason":"uncountable".*"outlined":false
//! scan: report 1 "class":"sequential","reason":"carried-scalar".*"outlined":false
/* How long a list is, one knows at its end; where one is, at the place before.  */

struct node
{
  struct node *next;
  int value;
};

void
clear (struct node *list)
{
  for (; list; list = list->next)
    list->value = 0;
}

struct list
{
  struct node *first;
  int n;
};

void
number (struct list *list, int n)
{
  struct node *p = list->first;
  for (int i = 0; i < n; i++, p = p->next)
    p->value = i;
}
