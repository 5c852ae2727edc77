/* SPDX-License-Identifier: MIT */
//! scan: report 1 "class":"sequential","reason":"uncountable".*"outlined":false
/* How long a list is, one knows at its end.  */

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
