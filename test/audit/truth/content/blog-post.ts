/** A repeated advertisement of the blog: the same forty words stand on every page. */
export const advert =
  'Our weekend class shows you every step from the first starter to the finished loaf. You bring an apron and an empty jar, and you go home with a living starter, a warm loaf and the printed recipe of the house bread.';

/** The body of a post whose writer means well and makes most of the usual mistakes. */
export const post = `<header><a href="/">Crumb Notes</a>
<nav><a href="/posts">All posts</a> <a href="/flour">Flour</a> <a href="/ovens">Ovens</a> <a href="/about">About</a></nav></header>
<div class="content">
<p>Posted on 25 January 2026</p>
<h1>How to think about water in dough</h1>
<p>By admin</p>
<p>Bread is flour, water, salt and time, and of the four it is the water that bakers argue about most. Every book names a figure, every figure is different, and most of them leave out the weather, the mill and the hands that knead. I have baked for the market for ten years, and I still weigh the water last, because the flour tells me on the day how much it wants to drink.</p>
<h2>The baker and the mill</h2>
<p>This is where most recipes go wrong. A strong white flour takes up far more water than a soft one, and a wholemeal flour takes up more still, but slowly, over half an hour or so. The old rule of thumb says that the dough should feel like an earlobe. I have never met a baker who pinched an earlobe at four in the morning, but the rule is a good one all the same, since it tells you to feel and not to read.</p>
<p>Gluten is the protein that holds the bubbles. It forms when water meets flour, whether you knead or not, and it grows stronger while the dough rests. That is why the long cold rest became so popular with people who have a day job and only an evening to bake in.</p>
<h2>Is a wet dough better?</h2>
<p>That depends on the oven, on the shape that you are after, on the strength of your flour and on the patience of everybody who wants to eat before noon, because a wet dough spreads like batter when it is handled too early, sticks to every cloth in the house when it is handled too late, and gives its open crumb only to those who have learned to fold it in time, to leave it alone in between, and to bake it so hot that the crust sets before the loaf has found the edge of the tray, which in a kitchen oven happens less often than the pictures would have you believe, and which nobody should expect of a first loaf, nor of a second one, whatever the videos of strangers may promise to those who watch them late at night, with a cold cup of tea beside them and the oven of somebody else before their eyes.</p>
<h2>White flour vs. wholemeal</h2>
<table>
<tr><td>Flour</td><td>Feel</td><td>Rest</td></tr>
<tr><td>White</td><td>Smooth</td><td>Short</td></tr>
<tr><td>Wholemeal</td><td>Rough</td><td>Long</td></tr>
</table>
<p>These two behave so differently that I would never swap one for the other in a recipe and expect the same loaf. Mix them, and you get some of the flavour of the one and most of the lift of the other. The DDT of the dough matters as much as the mix, and so does the TTA of the starter, but few home bakers measure either of them.</p>
<h2>A line from an old trade paper</h2>
<p>One line from an old trade paper has stayed with me: “A dough should always be as wet as the hands of the man who makes it can bear”, and I have it pinned above the trough where everybody can see it. A reader sent me <a href="https://millers.example.net/absorption">a table of absorption</a> that a mill once printed, with 62% for the house flour, and it fits what I see within a spoonful or two.</p>
<figure><img src="/img/crumb.jpg" alt="The open crumb of a white loaf"></figure><img src="/img/hands.jpg" alt="Two hands folding a dough"><img src="/img/oven.jpg" alt="The mouth of a wood-fired oven"><img src="/img/spoon.jpg">
<h4>A word about salt</h4>
<p>They say that salt slows the yeast. It does, a little, but its real work is to tighten the gluten, and a dough without salt runs away from you just as a wet one does. Add it after the first rest, and you will feel the dough pull together under your hands within a minute. Leave it out, and the crust stays pale and the crumb tastes of paste, however good the flour was and however long the rest.</p>
<p>TODO: add the photographs of the three loaves here.</p>
<h2>Stone and steam</h2>
<p>A kitchen oven loses its heat the moment the door opens. A stone on the lowest shelf holds some of it back, and a cup of boiling water on the floor of the oven keeps the crust soft for the first few minutes. Both help more than another spoon of water in the dough ever did.</p>
<h2>Come and bake</h2>
<p>${advert}</p>
<p>To book a place <a href="/class">click here</a>, and to see who teaches <a href="/about">read more</a>. If you want the leading recipe of the best bakery in town, the most amazing starter in the world and the number one class for beginners, you know where to find us. No other bakery is as good as we are.</p>
<iframe src="https://www.youtube.com/embed/9bZkp7q19f0" title="Folding a wet dough"></iframe>
</div>
<noscript><p>The comments below each post are shown with the help of a script.</p></noscript>
<footer><p>Crumb Notes</p></footer>`;
