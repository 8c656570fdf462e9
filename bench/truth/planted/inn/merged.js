window.saege={senden:function(){var f=new FormData(document.getElementById("anfrage"));fetch("/index.php?eID=anfrage",{method:"POST",body:f}).then(function(){alert("Vielen Dank!")})}};
document.querySelector(".keks-zu").addEventListener("click",function(){document.querySelector(".keks").remove()});
